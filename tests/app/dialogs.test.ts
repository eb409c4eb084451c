import { describe, expect, test } from "vitest";
import type { MessageView, PartView } from "../../src/engine/api.ts";
import { appendText, pendingCalls, stopWords } from "../../src/app/dialogs/frames.ts";
import { doing, groupDialogs, pageTitle } from "../../src/app/dialogs/groups.ts";

const message = (...parts: PartView[]): MessageView => ({
  role: "assistant",
  start: null,
  end: null,
  provider: null,
  model: null,
  parts,
  usage: null,
  usageCumulative: null,
  stop: null,
});
const text = (value: string): PartView => ({ kind: "text", text: value });
const call = (id: string, state: "pending" | "finished"): PartView => ({
  kind: "call",
  call: { id, tool: "run_command", input: {}, state, allowedBy: null, result: null, hash: id, before: null },
});

describe("text that is added", () => {
  test("goes to the end of its part", () => {
    expect(appendText(message(text("a"), call("1", "finished"), text("b")), 2, "c")?.parts[2]).toEqual(text("bc"));
  });
  test("makes a new part one past the end", () => {
    expect(appendText(message(), 0, "a")?.parts).toEqual([text("a")]);
  });
  test("changes no part that is no text, and none further on", () => {
    expect(appendText(message(call("1", "finished")), 0, "a")).toBeNull();
    expect(appendText(message(), 1, "a")).toBeNull();
  });
  test("leaves the message before as it was", () => {
    const before = message(text("a"));
    appendText(before, 0, "b");
    expect(before.parts).toEqual([text("a")]);
  });
});

test("the calls that wait, in their order", () => {
  const messages = [message(call("1", "finished"), call("2", "pending")), message(text("a"), call("3", "pending"))];
  expect(pendingCalls(messages).map(({ id }) => id)).toEqual(["2", "3"]);
});

describe("the list", () => {
  const dialog = (slug: string, status: "active" | "waiting" | "done", mtime: number) => ({
    dialogId: `20261121-201100-${slug}`,
    status,
    filename: "",
    mtime,
  });
  const all = [dialog("plan", "done", 1), dialog("board", "active", 2), dialog("look", "waiting", 3), dialog("idea", "done", 4)];
  const drawn = (filter?: string) =>
    groupDialogs(all, filter).map(({ title, dialogs }) => `${title}: ${dialogs.map(({ dialogId }) => dialogId.slice(16)).join(" ")}`);

  test("what waits for a person comes first, and the newest first in each group", () => {
    expect(drawn()).toEqual(["Waiting for you: look", "Running: board", "Done: idea plan"]);
  });
  test("the filter looks at the slug, and no group is empty", () => {
    expect(drawn(" PL ")).toEqual(["Done: plan"]);
    expect(drawn("2026")).toEqual([]);
  });
});

test.each([
  ["waiting", null, "waits for your word"],
  ["active", { kind: "thinking" }, "thinking…"],
  ["active", { kind: "running", callId: "1", tool: "run_command" }, "runs a command…"],
  ["active", { kind: "running", callId: "1", tool: "write_file" }, "writes a file…"],
] as const)("what a dialog does: %s %j", (status, activity, expected) => {
  expect(doing(status, activity)).toBe(expected);
});

test("the title counts who waits", () => {
  expect([0, 2].map(pageTitle)).toEqual(["Vibey", "(2) Vibey"]);
});

test.each([
  ["aborted", "You stopped the agent here."],
  ["error overloaded, try later", "The provider failed: overloaded, try later"],
  ["limit requestsPerTurn", "A limit was reached: requestsPerTurn."],
  ["something new", "Stopped: something new"],
])("a stop in words: %s", (stop, expected) => {
  expect(stopWords(stop)).toBe(expected);
});
