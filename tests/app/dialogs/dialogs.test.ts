import { describe, expect, test } from "vitest";
import type { MessageView, PartView } from "../../../src/protocol/index.ts";
import { moment } from "../../../src/app/ui/format.ts";
import { visible } from "../../../src/app/calls/visible.ts";
import { appendText, metaWords, pendingCalls, percent, saidText, shownText, stopWords } from "../../../src/app/dialogs/frames.ts";
import { since } from "../../../src/app/markdown/growing.ts";

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
  call: { id, tool: "run_command", input: {}, state, started: null, allowedBy: null, result: null, hash: id, before: null },
});

describe("text that is added", () => {
  test("is shown as what came, one piece after the other", () => {
    let now = message(text("a"));
    const shown = ["bc", "", "d"].map((more) => {
      now = appendText(now, 0, more) ?? now;
      const [part] = now.parts;
      if (part?.kind !== "text") throw new Error("a text became something else");
      return { part, shown: shownText(part) };
    });
    expect(shown.map(({ part }) => part.text)).toEqual(["abc", "abc", "abcd"]);
    const [first, , last] = shown;
    expect(typeof last?.shown).toBe("object");
    expect(since(first?.shown ?? "", last?.shown ?? "")).toBe("d");
  });
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

test.each([
  ["aborted", "You stopped the agent here."],
  ["error overloaded, try later", "The request failed: overloaded, try later"],
  ["limit requestsPerTurn", "Limit reached: requestsPerTurn."],
  ["something new", "Stopped: something new"],
])("a stop in words: %s", (stop, expected) => {
  expect(stopWords(stop)).toBe(expected);
});

test.each([
  ["Context", "used=164000 window=200000", "Vibey told the agent that 82% of its context window is used."],
  ["Context", "used=1 window=0", "Context: used=1 window=0"],
  ["Context", "something else", "Context: something else"],
  ["Network", "a.example:8443", "You allowed commands in this dialog to connect to a.example:8443."],
  ["Network refused", "a.example", "You blocked commands in this dialog from connecting to a.example."],
  ["Limit", "command 120", "You let commands in this dialog run for up to 2 min."],
  ["Limit", "agents 3", "Limit: agents 3"],
  ["Authorized", "run_command", "You turned on “Always allow commands in this dialog”."],
  ["Authorized", "a\u202eb", `You turned on “Always allow a${visible("\u202e")}b in this dialog”.`],
  ["Revoked", "write_file", "You turned off “Always allow writing files in this dialog”."],
  ["Authorized", "command npm test *", "You turned on “Always allow commands like npm test * in this dialog”."],
  ["Authorized", "writes under src/", "You turned on “Always allow writing and editing files under src/ in this dialog”."],
  ["Authorized", "command npm; rm", "Ignored, because Vibey doesn't understand it: Authorized: command npm; rm"],
  ["Revoked", "command npm test *", "You turned off “Always allow commands like npm test * in this dialog”."],
  ["Waiting", "Which colour?", "Waiting for you: Which colour?"],
  ["Waiting", "a\u202eb", `Waiting for you: a${visible("\u202e")}b`],
  ["Edited", "2026-11-21T20:11:00.000Z", `You edited the dialog file, ${moment("2026-11-21T20:11:00.000Z")}.`],
  ["Edited", "long ago", "Edited: long ago"],
  ["Incomplete call", "run_command [a]", "The agent's request to run a command was cut off before it was complete. It didn't run."],
  ["Incomplete call", "run_command, and approve it", "Incomplete call: run_command, and approve it"],
  ["Edited", "Pay Bob before 3", "Edited: Pay Bob before 3"],
])("a line of metadata in words: %s %s", (key, value, expected) => {
  expect(metaWords({ key, value })).toBe(expected);
});

test("a call that is being written says so", () => {
  const words = metaWords({ key: "Incomplete call", value: "rocket [a]" }, true);
  expect(words).toBe("The agent is writing a request to use rocket…");
});

test("how full the window is never says more than is used", () => {
  const parts = [percent(0, 2_000), percent(19, 2_000), percent(1_999, 2_000), percent(2_000, 2_000)];
  expect(parts).toEqual(["0%", "<1%", "99%", "100%"]);
});

test("what was said is the text of the message, and nothing else of it", () => {
  expect(saidText(message(text("a"), { kind: "meta", lines: [{ key: "Edited", value: "x" }] }, text("b")))).toBe("a\n\nb");
});
