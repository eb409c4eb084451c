import { describe, expect, test } from "vitest";
import type { EventData } from "../../../src/dialog/events/model.ts";
import type { CommitEvent, LogEventType } from "../../../src/protocol/index.ts";
import { eventSentence, oneLine, plainSentence } from "../../../src/app/history/event-sentence.ts";
import { actorName, eventPlace, eventTime } from "../../../src/app/history/event-format.ts";
import { formatRoute } from "../../../src/app/model/route.ts";
import { kinds } from "../../../src/app/texts/events.ts";
import { dialogId, eventOf } from "./an-event.ts";

const call = "toolu_1";
const result = {
  type: "tool_result",
  data: { call, tool: "run_command", ok: true, result: null, error: null, ms: null, code: null },
} as const;

const sentences: readonly (readonly [EventData, string])[] = [
  [
    { type: "activation", data: { title: "style", provider: "claude", model: "claude-5", by: null, answers: null } },
    "started the dialog with claude-5",
  ],
  [{ type: "activation", data: { title: "A poem", provider: null, model: null, by: null, answers: null } }, "started the dialog “A poem”"],
  [
    { type: "activation", data: { title: "style", provider: "claude", model: null, by: "20261121-200000-plan", answers: null } },
    "started, launched by plan",
  ],
  [{ type: "message", data: { text: "\n\n  Do it.\nAnd then this." } }, "said: “Do it. …”"],
  [{ type: "message", data: { text: " \n" } }, "said nothing"],
  [{ type: "request", data: { provider: "claude", model: "claude-5" } }, "requested a response from claude-5"],
  [{ type: "request", data: { provider: "demo", model: null } }, "requested a response from demo"],
  [{ type: "request", data: { provider: null, model: null } }, "requested a response"],
  [{ type: "text", data: { text: "Done." } }, "said: “Done.”"],
  [{ type: "tool_call", data: { call, tool: "run_command", input: { command: "npm test" } } }, "asked to run npm test"],
  [{ type: "tool_call", data: { call, tool: "write_file", input: { path: "a.js", content: "" } } }, "asked to write a.js"],
  [{ type: "tool_call", data: { call, tool: "edit_file", input: { path: "a.js" } } }, "asked to edit a.js"],
  [{ type: "tool_call", data: { call, tool: "launch_agent", input: { slug: "poet", prompt: "Write." } } }, "asked to launch poet"],
  [{ type: "tool_call", data: { call, tool: "look_up", input: { word: "a" } } }, "asked to use look_up"],
  [{ type: "tool_call", data: { call, tool: "run_command", input: { invalid: "{" } } }, "asked to use run_command"],
  [{ type: "approval", data: { call, tool: "write_file", decision: "approved", from: "human" } }, "approved write_file"],
  [{ type: "approval", data: { call, tool: "write_file", decision: "denied", from: "human" } }, "denied write_file"],
  [{ type: "approval", data: { call, tool: "write_file", decision: "approved", from: "authority" } }, "allowed write_file without asking"],
  [{ type: "approval", data: { call, tool: "look_up", decision: "denied", from: "authority" } }, "rejected look_up automatically"],
  [result, "result of run_command: done"],
  [{ ...result, data: { ...result.data, code: 0, ms: 14 } }, "result of run_command: done, 14 ms"],
  [{ ...result, data: { ...result.data, ok: false, code: 1, ms: 2_100 } }, "result of run_command: failed, exit code 1, 2.1 s"],
  [{ ...result, data: { ...result.data, ok: false, error: "no such\nfile" } }, "result of run_command: failed, “no such …”"],
  [{ type: "file_change", data: { call, path: "src/a.js", op: "write" } }, "wrote src/a.js"],
  [{ type: "file_change", data: { call, path: "src/a.js", op: "edit" } }, "edited src/a.js"],
  [{ type: "spawn", data: { call, child: "20261121-201200-poet" } }, "launched poet"],
  [{ type: "waiting", data: { for: "input", prompt: "Which colour?" } }, "asked you: “Which colour?”"],
  [{ type: "waiting", data: { for: "input", prompt: "" } }, "asked you to reply"],
  [{ type: "authority", data: { word: "Authorized", value: "command npm test *" } }, "allowed without asking: command npm test *"],
  [{ type: "authority", data: { word: "Revoked", value: "write_file" } }, "no longer allowed without asking: write_file"],
  [{ type: "authority", data: { word: "Network", value: "a.example GET only" } }, "allowed a connection to a.example GET only"],
  [{ type: "authority", data: { word: "Network refused", value: "a.example" } }, "blocked connections to a.example"],
  [{ type: "authority", data: { word: "Limit", value: "command 600" } }, "set a limit: command 600"],
  [{ type: "authority", data: { word: "Other", value: "x" } }, "Other: x"],
  [{ type: "window", data: { from: "20261121-200000-plan" } }, "continued plan from a summary"],
  [{ type: "forked", data: { from: "20261121-200000-plan" } }, "forked from plan"],
  [{ type: "usage", data: { tokens: 1_234, cost: "0.01 USD" } }, "used 1,234 tokens, cost 0.01 USD"],
  [{ type: "usage", data: { tokens: 1, cost: null } }, "used 1 token"],
  [{ type: "usage", data: { tokens: null, cost: "0.01 USD" } }, "cost 0.01 USD"],
  [{ type: "usage", data: { tokens: null, cost: null } }, "used an unknown number of tokens"],
  [{ type: "dialog_replaced", data: { generation: 2 } }, "edited the dialog file"],
  [{ type: "abort", data: { message: "aborted" } }, "stopped: “aborted”"],
  [{ type: "abort", data: { message: "" } }, "stopped"],
  [{ type: "error", data: { message: "overloaded" } }, "reported: “overloaded”"],
  [{ type: "error", data: { message: "" } }, "reported an error"],
  [{ type: "warning", data: { message: "cut off", code: null } }, "reported: “cut off”"],
  [{ type: "warning", data: { message: "", code: null } }, "reported a warning"],
  [{ type: "signal", data: { child: "20261126-090000-a", call: "c", text: "It is there." } }, "reported: “It is there.”"],
  [{ type: "signal", data: { child: "20261126-090000-a", call: "c", text: "It is there.", to: "user" } }, "told you: “It is there.”"],
  [{ type: "definition", data: { agent: "coder", hash: "3f9a1c0e".padEnd(64, "0") } }, "is coder, as its file was then (3f9a1c0e)"],
  [{ type: "reply", data: { child: "20261126-090000-coder" } }, "answered from coder"],
  [{ type: "resolved", data: { from: "20261126-090000-colour", summary: "CONCLUSION: blue." } }, "resolved colour: “CONCLUSION: blue.”"],
  [{ type: "pause", data: { scope: "run" } }, "paused the run"],
  [{ type: "resume", data: { scope: "agent" } }, "resumed the agent"],
  [{ type: "file_change", data: { call: "c", path: "a.md", op: "delete" } }, "deleted a.md"],
  [{ type: "complete", data: { tokens: null } }, "finished"],
  [{ type: "complete", data: { tokens: 2_000 } }, "finished with 2,000 tokens"],
];

const commit: CommitEvent = {
  ...eventOf({ type: "complete", data: { tokens: null } }),
  type: "commit",
  dialogId: null,
  anchor: null,
  data: { commit: "c0ffee", summary: "added a.js, b.js", files: 2, changes: [] },
};

describe("events in sentences", () => {
  test("a commit", () => {
    expect(plainSentence(eventSentence(commit))).toBe("changed 2 files: added a.js, b.js");
    const hidden = { ...commit, data: { ...commit.data, summary: "added a\u202e\u200b.js" } };
    expect(plainSentence(eventSentence(hidden))).not.toMatch(/[\u202E\u200B]/);
    expect(formatRoute(eventPlace(commit))).toBe("#/history/c0ffee");
  });

  test.each(sentences.map(([data, sentence]) => [sentence, data] as const))("%s", (sentence, data) => {
    expect(plainSentence(eventSentence(eventOf(data)))).toBe(sentence);
  });

  test("every type of event has one", () => {
    const types: LogEventType[] = [...sentences.map(([{ type }]) => type), commit.type];
    expect(new Set(types)).toEqual(new Set(Object.keys(kinds)));
  });

  test("what is exact is code, what is said is quoted", () => {
    expect(eventSentence(eventOf({ type: "tool_call", data: { call, tool: "run_command", input: { command: "ls" } } }))).toEqual([
      "asked to run ",
      { code: "ls" },
    ]);
    expect(eventSentence(eventOf({ type: "text", data: { text: "Hello." } }))).toEqual(["said: ", { em: "“Hello.”" }]);
  });
});

describe("a foreign text in a sentence", () => {
  test.each([
    ["a", "a"],
    ["", ""],
    [" \r\n a \r\n b", "a …"],
    ["a\u202Eb", "a⟨U+202E⟩b"],
    ["a\n\n", "a"],
    ["x".repeat(160), "x".repeat(160)],
    ["x".repeat(161), `${"x".repeat(160)} …`],
    [`${"x".repeat(159)}🙂`, `${"x".repeat(159)} …`],
  ])("%j", (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  test.each(sentences.map(([data]) => [data.type, data] as const))("nothing of it is hidden, nor breaks the line: %s", (_, data) => {
    const hostile = JSON.stringify(data).replaceAll(
      /"(title|model|text|tool|command|path|slug|child|prompt|word|value|from|cost|message|error|by)":"[^"]*"/g,
      '"$1":"a\\u202e\\u200b\\nb"',
    );
    const event: EventData = JSON.parse(hostile);
    if (event.type === "approval") return;
    expect(plainSentence(eventSentence(eventOf(event)))).not.toMatch(/[\u202E\u200B\n]/);
  });
});

test("who it was", () => {
  expect(actorName({ kind: "human" })).toBe("You");
  expect(actorName({ kind: "human", device: "phone" })).toBe("You on phone");
  expect(actorName({ kind: "agent", dialogId })).toBe("style");
  expect(actorName({ kind: "agent", dialogId: "" })).toBe("An agent");
  expect(actorName({ kind: "outside", agentId: "bot", framework: "LangGraph" })).toBe("bot (LangGraph)");
  expect(actorName({ kind: "vibey" })).toBe("Vibey");
});

test("when it was: to the second only where the event has a time of its own", () => {
  const place = { locale: "en-GB", timeZone: "Europe/Berlin" };
  const time = "2026-11-21T20:11:05Z";
  expect(eventTime({ time, exact: true }, place)).toEqual({ shown: "21:11:05", whole: `${time} (UTC)` });
  expect(eventTime({ time, exact: false }, place)).toEqual({
    shown: "21:11",
    whole: `No time was recorded. The last one before it: ${time} (UTC)`,
  });
  expect(eventTime({ time: "", exact: false }, place)).toEqual({ shown: "", whole: "No time was recorded." });
});

test.each([
  [null, `#/dialogs/${dialogId}/text/1`],
  [{ section: 3 }, `#/dialogs/${dialogId}/place/3`],
  [{ section: 3, part: 1, call }, `#/dialogs/${dialogId}/place/3.1`],
])("where it stands: %j", (anchor, href) => {
  expect(formatRoute(eventPlace(eventOf({ type: "complete", data: { tokens: null } }, { anchor })))).toBe(href);
});
