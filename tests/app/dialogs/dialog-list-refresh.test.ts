import { createRoot } from "solid-js";
import { afterEach, expect, test, vi } from "vitest";
import { live } from "../../live-event.ts";
import type { DialogListing, LiveEvent } from "../../../src/protocol/index.ts";
import type { EngineEvents } from "../../../src/app/model/api/events.ts";
import { createDialogList } from "../../../src/app/dialogs/list.ts";

const dialog = (status: DialogListing["status"]): DialogListing => ({
  dialogId: "20261121-201100-a",
  filename: `dialog-20261121-201100-a-${status}.md`,
  status,
  mtime: 1,
  activity: null,
  waitingFor: null,
});

/** A list whose answers arrive when the test releases them. */
function listed() {
  const answers: ((list: readonly DialogListing[]) => void)[] = [];
  vi.stubGlobal("fetch", () => new Promise((resolve) => answers.push((list) => resolve(Response.json(list)))));
  const events: EngineEvents = { lost: () => false, listeners: new Set() };
  const list = createRoot(() => createDialogList(events));
  const emit = (event: LiveEvent) => {
    for (const listener of events.listeners) listener(event);
  };
  return { list, emit, answers, statuses: () => list.dialogs().map(({ status }) => status) };
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test("what happened while the list was asked for stands, however old the answer is", async () => {
  const { list, emit, answers, statuses } = listed();
  const refreshed = list.refresh();
  const { dialogId, ...data } = dialog("waiting");
  emit(live({ type: "dialog", data }, { dialogId }));
  answers[0]?.([dialog("active")]);
  await refreshed;
  expect(statuses()).toEqual(["waiting"]);
});

test("a dialog removed while the list was asked for does not come back", async () => {
  const { list, emit, answers, statuses } = listed();
  const refreshed = list.refresh();
  emit(live({ type: "dialog_removed", data: {} }, { dialogId: dialog("active").dialogId }));
  answers[0]?.([dialog("active")]);
  await refreshed;
  expect(statuses()).toEqual([]);
});

test("of two answers the one asked for last counts, whichever comes first", async () => {
  const { list, answers, statuses } = listed();
  const both = [list.refresh(), list.refresh()];
  answers[1]?.([dialog("done")]);
  answers[0]?.([dialog("active")]);
  await Promise.all(both);
  expect(statuses()).toEqual(["done"]);
});
