import { afterEach, expect, test, vi } from "vitest";
import { createListActions } from "../../../src/app/dialogs/list-actions.ts";
import { createOutbox, draftKey } from "../../../src/app/dialogs/drafts.ts";
import { createDrafts } from "../../../src/app/docs/drafts.ts";
import { createNotices } from "../../../src/app/ui/notices.ts";
import type { DialogListing } from "../../../src/protocol/index.ts";
import { browserStorage } from "../browser-storage.ts";

afterEach(() => vi.unstubAllGlobals());

const listing = (dialogId: string): DialogListing => ({
  dialogId,
  status: "done",
  filename: `dialog-${dialogId}-done.md`,
  mtime: 0,
  activity: null,
  waitingFor: null,
});
const [early, late] = [listing("20261121-201100-start"), listing("20261121-201200-start")];

/** A list whose engine has these files and answers reads with `reading`. */
function open(files: Map<string, string>, reading: (filename: string) => Response, isOpen = false) {
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    const name = decodeURIComponent(path.split("/")[1] ?? "");
    if (method === "GET") return reading([early, late].find(({ dialogId }) => dialogId === name)?.filename ?? name);
    if (method === "DELETE")
      return files.delete(name) ? Response.json({ ok: true }) : Response.json({ error: "It is gone." }, { status: 404 });
    if (typeof body === "string") files.set(name, JSON.parse(body).content);
    return Response.json({ ok: true, name });
  });
  const drafts = createDrafts(browserStorage(), (write) => write());
  const notices = createNotices();
  const went: string[] = [];
  const actions = createListActions({
    list: { dialogs: () => [early, late], refresh: async () => undefined } as never,
    drafts,
    outbox: createOutbox(drafts),
    notices,
    ready: async () => true,
    leave: () => isOpen,
    go: (dialogId) => void went.push(dialogId),
    reopen: (dialogId) => void went.push(dialogId),
  });
  return { actions, notices, drafts, went };
}
const all = () => new Map([early, late].map(({ filename }) => [filename, `of ${filename}`]));

test("of two deleted dialogs of the same name each can be brought back, with what was typed for it", async () => {
  const files = all();
  const { actions, notices, drafts, went } = open(files, (filename) => Response.json({ filename, markdown: files.get(filename) }));
  drafts.keep(draftKey(early.dialogId), { text: "unsent", etag: null });
  await actions.drop(early);
  await actions.drop(late);
  expect(files.size).toBe(0);
  expect(notices.list().map(({ message, action }) => [message, action?.label])).toEqual([
    ["Deleted start.", "Undo"],
    ["Deleted start.", "Undo"],
  ]);
  for (const { action } of notices.list()) action?.run();
  await vi.waitFor(() => expect(went.toSorted()).toEqual([early.dialogId, late.dialogId]));
  expect(files).toEqual(all());
  expect(drafts.get(draftKey(early.dialogId))?.text).toBe("unsent");
});

test.each([
  ["could not be read", 500, 2, "Couldn't delete start: No."],
  ["is gone already", 404, 1, "Deleted start."],
])("a dialog that %s", async (_, status, left, said) => {
  const files = all();
  const { actions, notices } = open(files, () => Response.json({ error: "No." }, { status }));
  await actions.drop(early);
  expect(files.size).toBe(left);
  expect(notices.list().map(({ message, action }) => [message, action])).toEqual([[said, undefined]]);
});

test.each([true, false])("a dialog that can't be read is led back to where it was open: %s", async (isOpen) => {
  const { actions, went } = open(all(), () => Response.json({ error: "No." }, { status: 500 }), isOpen);
  await actions.drop(early);
  expect(went).toEqual(isOpen ? [early.dialogId] : []);
});

test.each([true, false])("a dialog that isn't deleted is led back to where it was open: %s", async (isOpen) => {
  const { actions, went, notices } = open(all(), (filename) => Response.json({ filename, markdown: "" }), isOpen);
  const inner = fetch;
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) =>
    init?.method === "DELETE" ? Response.json({ error: "An agent works here." }, { status: 409 }) : inner(path, init),
  );
  await actions.drop(early);
  expect(went).toEqual(isOpen ? [early.dialogId] : []);
  expect(notices.list()).toHaveLength(1);
});
