import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addCall, addText, newDialog, openSection, setCall, timeValue } from "../../../src/dialog/edit.ts";
import { eventsOf } from "../../../src/dialog/events/events-of.ts";
import type { DialogEvent } from "../../../src/dialog/events/model.ts";

import { parseDialog } from "../../../src/dialog/parse.ts";
import { sectionCount } from "../../../src/dialog/sections.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { hostileText, lawTimeout, runs } from "../hostile.ts";
import { step, time } from "./growing.ts";

const body = (text: string) => parseDialog(`# Dialog\n> Format: 1\n> Started: 2026-11-21T20:11:00.000Z\n\n${text}`);

/** One line per event: its place and type, the actor, and what distinguishes it. */
function outline(events: readonly DialogEvent[]): string[] {
  return events.map(({ id, actor, exact, severity, ...rest }) => {
    const data = Object.values(rest.data).filter((value) => typeof value !== "object" && typeof value !== "boolean");
    return [id.split("/").slice(2).join("/"), actor.kind, exact ? "" : "~", severity === "info" ? "" : severity, ...data]
      .filter((word) => word !== "")
      .join(" ");
  });
}

test("a turn with tools, from its first line to its question", () => {
  const file = readFileSync(new URL("../golden/turn-with-tools.md", import.meta.url), "utf8");
  const events = eventsOf(parseDialog(file), "20261121-201100-game");
  expect(outline(events).map((line) => line.split("\n", 1)[0])).toEqual([
    "h.activation agent Build a tic-tac-toe. claude claude-sonnet-5-5 20261121-201000-please-start",
    "h.authority human ~ Authorized launch_agent",
    "0.0.message agent Build a tic-tac-toe.",
    "1.request agent claude claude-sonnet-5-5",
    "1.0.text agent ~ I shall look at what is there, and start a helper.",
    "1.1.tool_call agent ~ toolu_abc123 run_command",
    "1.1.approval human ~ toolu_abc123 run_command approved human",
    "1.1.tool_result agent toolu_abc123 run_command 12",
    "1.2.tool_call agent ~ toolu_abc124 launch_agent",
    "1.2.approval vibey ~ toolu_abc124 launch_agent approved authority",
    "1.2.tool_result agent ~ toolu_abc124 launch_agent",
    "1.2.spawn agent ~ toolu_abc124 20261121-201120-rules",
    "1.3.tool_call agent ~ toolu_abc125 write_file",
    "1.3.approval human ~ toolu_abc125 write_file denied human",
    "1.4.usage agent 579",
    "1.5.authority human ~ Authorized run_command",
    "2.0.message human Not that file, please.",
    "3.request agent openai gpt-5.3",
    "3.0.text agent ~ ## User",
    "3.1.waiting agent input Which colours would you like?",
    "3.2.usage agent 720",
  ]);
  expect(events.every(({ dialogId, id }) => id.startsWith(`${dialogId}/0/`))).toBe(true);
  expect(events.find(({ type }) => type === "tool_result")).toMatchObject({
    time: "2026-11-21T20:11:20.523Z",
    anchor: { section: 1, part: 1, call: "toolu_abc123" },
  });
});

const asked = (lines: string) =>
  `## User\n> Time: 2026-11-21T20:11:00.000Z\n\nGo.\n\n## Assistant\n> Time: 2026-11-21T20:11:01.000Z - ${lines}`;
const ended = "2026-11-21T20:11:02.000Z\n\n";

test.each([
  ["a short line", "Build a game\nwith rules", "Build a game"],
  ["120 characters of two units", "🎲".repeat(120), "🎲".repeat(120)],
  ["one more", "🎲".repeat(121), `${"🎲".repeat(120)}…`],
  ["one of one unit more", `${"🎲".repeat(119)}ab`, `${"🎲".repeat(119)}a…`],
  ["a line of megabytes", "a".repeat(4_000_000), `${"a".repeat(120)}…`],
])("the title of %s", (_, prompt, title) => {
  expect(eventsOf(body(`## User\n\n${prompt}\n`), "d")[0]).toMatchObject({ type: "activation", data: { title } });
});

describe("how a response ends", () => {
  test.each([
    ["by itself", `${ended}Done.\n`, "1.complete agent"],
    ["the user stopped it", `${ended}I am\n\n> Stop: aborted\n`, "1.1.abort human aborted"],
    ["the page was closed", `${ended}I am\n\n> Stop: interrupted\n`, "1.1.abort vibey warning interrupted"],
    ["the provider failed", `${ended}> Stop: error overloaded\n`, "1.0.error vibey error error overloaded"],
    ["a limit", `${ended}> Stop: limit responses\n`, "1.0.warning vibey warning limit responses"],
    ["it isn't over", `\n\nI am\n`, "1.request agent"],
  ])("%s", (_, lines, last) => {
    expect(outline(eventsOf(body(asked(lines)), "d")).at(-1)).toBe(last);
  });
});

test("a call that failed, with its exit code", () => {
  const call =
    '---\nTool request: run_command [a]\n\n    {"command":"x"}\n\nDecision: approved\nStarted: 2026-11-21T20:11:03.000Z\nResult:\n\n';
  const events = eventsOf(body(asked(`${ended}${call}    {"success":false,"error":"exit code 2","exitCode":2,"ms":1500}\n\n---\n`)), "d");
  expect(events.at(-1)).toMatchObject({ type: "tool_result", severity: "warning", time: "2026-11-21T20:11:04.500Z", exact: true });
  expect(events.at(-1)?.data).toMatchObject({ ok: false, code: 2, ms: 1500, error: "exit code 2" });
});

test("each edit by the user begins another generation", () => {
  const file = "# Dialog\n> Format: 1\n\n## User\n\nhello\n\n> Edited: 2026-11-21T20:20:00.000Z\n";
  const [one, two] = [eventsOf(parseDialog(file), "d"), eventsOf(parseDialog(`${file}\n> Edited: 2026-11-21T20:21:00.000Z\n`), "d")];
  expect(outline(one).at(-1)).toBe("0.1.dialog_replaced human warning 1");
  expect([...new Set(two.map(({ id }) => id.split("/")[1]))]).toEqual(["2"]);
});

test("agents that answer in it, and the file that defines its own", () => {
  const hash = "0123456789abcdef".repeat(4);
  const said = (lines: string, text: string) => `## User\n> Time: 2026-11-21T20:11:00.000Z\n${lines}\n${text}\n\n`;
  const dialog = parseDialog(
    [
      `# Dialog\n> Format: 2\n> Agent: coder ${hash}\n> Tools: none\n\nYou are Coder.\n\n`,
      said("", "@critic go"),
      said("> From: agent 20261121-201100-critic 2 | critic\n", "Fine.\n\n> Resolves: 20261121-201100-other"),
      said("> From: agent 20261121-201100-critic 4 | critic\n> System: Critic couldn't respond.\n", "x"),
      said("> From: agent 20261121-201200-side 2 | vibe\n> Resolves: 20261121-201100-colour\n", "CONCLUSION: blue."),
      said("> Resolves: 20261121-201100-colour\n", "Resolve this fork."),
    ].join(""),
  );
  const events = outline(eventsOf(dialog, "d")).filter((line) => /definition|reply|resolved/.test(line));
  expect(events).toEqual([
    `h.definition human ~ coder ${hash}`,
    "1.0.reply agent 20261121-201100-critic",
    "3.0.resolved agent 20261121-201100-colour CONCLUSION: blue.",
  ]);
});

test("what began a turn, what a run's first agent tells the user, and what its file says", () => {
  const hash = "0123456789abcdef".repeat(4);
  const root = "20261121-201100-lead";
  const noon = "2026-11-21T20:11:00.000Z";
  const said = (lines: string, text: string) => `## User\n> Time: ${noon}\n${lines}\n${text}\n\n`;
  const signal = (call: string) => `> From: signal 20261121-201200-two ${call} | two\n`;
  const told = (id: string, success: boolean) =>
    `---\nTool request: signal_parent [${id}]\n\n    {"message":"Done."}\n\nDecision: approved\nStarted: ${noon}\nResult:\n\n    {"success":${success}}\n\n---\n\n`;
  const file = (run: string) =>
    parseDialog(
      [
        `# Dialog\n> Format: 2\n> Agent: lead ${hash}\n> Tools: none\n> Run: ${run}\n> File: agents/lead.md\n> Input: 0123456789abcdef\n> Front matter: The value of model isn't valid YAML.\n\nYou lead.\n\n`,
        said("", "Go."),
        `## Assistant\n> Time: ${noon} - ${noon}\n\nI wait.\n\n`,
        said(`> From: context ${root}\n> Definition: ${hash}\n`, "[lead.md was changed]"),
        said(signal("a"), "One."),
        said(signal("b"), "Two."),
        `## Assistant\n> Time: ${noon} - ${noon}\n\n${told("c", true)}${told("d", false)}`,
        `## Assistant\n> Time: ${noon} - ${noon}\n\nDone.\n\n`,
      ].join(""),
    );
  const events = eventsOf(file(root), root);
  expect(events.flatMap(({ type, anchor, data }) => (type === "request" ? [[anchor?.section, data.answers ?? null]] : []))).toEqual([
    [1, null],
    [5, { from: "20261121-201200-two", text: "One.\n\nTwo." }],
    [6, null],
  ]);
  expect(events.flatMap(({ type, data }) => (type === "signal" && data.to === "user" ? [data] : []))).toEqual([
    { child: root, call: "c", text: "Done.", to: "user" },
  ]);
  expect(outline(events).filter((line) => /definition|front_matter|isn't valid/.test(line))).toEqual([
    `h.definition human ~ lead ${hash}`,
    expect.stringContaining("h.warning vibey ~ warning"),
    `2.definition human lead ${hash}`,
  ]);
  // The message of a dialog with a parent is in the parent's dialog.
  expect(eventsOf(file("20261121-201000-other"), root).some(({ type, data }) => type === "signal" && "to" in data)).toBe(false);
});

test("what a file of an earlier Vibey allows counts for nothing", () => {
  const dialog = parseDialog("# Dialog\n> Authorized: run_command\n\n## User\n\nhello\n");
  expect(eventsOf(dialog, "d").filter(({ type }) => type === "authority")).toEqual([]);
});

test("a result can claim any duration", () => {
  const call = (ms: string) =>
    `---\nTool request: x [a]\n\n    {}\n\nDecision: approved\nStarted: 2026-11-21T20:11:03.000Z\nResult:\n\n    {"success":true,"ms":${ms}}\n\n---\n`;
  for (const ms of ["1e300", "-1", '"1"', "9e15", "null"])
    expect(eventsOf(body(asked(ended + call(ms))), "d").at(-1)?.time).toBe("2026-11-21T20:11:03.000Z");
});

test(
  "a dialog that grows keeps its events; its file gives the same; from any section on they are the same",
  () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 14 }), fc.nat(20), (steps, at) => {
        let { dialog } = newDialog([{ key: "Provider", value: "claude" }]);
        let before: string[] = [];
        for (const each of steps) {
          dialog = each(dialog);
          const after = eventsOf(dialog, "d").map(({ id }) => id);
          expect(new Set(after).size).toBe(after.length);
          expect(after).toEqual(expect.arrayContaining(before));
          before = after;
        }
        const events = eventsOf(dialog, "d");
        expect(eventsOf(parseDialog(serialiseDialog(dialog)), "d")).toEqual(events);
        const from = at % (sectionCount(dialog) + 1);
        const behind = events.filter(({ anchor }) => from === 0 || (anchor !== null && anchor.section >= from));
        expect(eventsOf(dialog, "d", from)).toEqual(behind);
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);

test(
  "hostile text gives no event but its own",
  () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 3, maxLength: 3 }), ([said = "", written = "", output = ""]) => {
        let { dialog } = openSection(newDialog([]).dialog, "user", [], { open: false });
        dialog = addText(dialog, `a\n${said}`).dialog;
        dialog = openSection(dialog, "assistant", [{ key: "Time", value: timeValue(time) }], { open: true }).dialog;
        dialog = addText(dialog, `a\n${written}`).dialog;
        const call = addCall(dialog, { id: "a", name: "x", input: { said }, decision: null, started: null, result: undefined });
        dialog = setCall(call.dialog, call.call.id, { decision: "approved", started: time, result: { success: false, output } }).dialog;
        const types = eventsOf(parseDialog(serialiseDialog(dialog)), "d").map(({ type }) => type);
        expect(types).toEqual(["activation", "message", "request", "text", "tool_call", "approval", "tool_result"]);
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);
