import { describe, expect, test } from "vitest";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { addText, newDialog, openSection } from "../../../src/dialog/edit.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { upgrade } from "../../../src/dialog/upgrade.ts";
import { paidResponses } from "../../../src/engine/cost/scan.ts";
import type { Event, MachineOptions, State } from "../../../src/engine/turn/machine/model.ts";
import { isParked, queuedIn } from "../../../src/engine/turn/machine/queued.ts";
import { step } from "../../../src/engine/turn/machine/step.ts";

const options: MachineOptions = { check: () => null, requestsPerTurn: 100 };
const time = "2026-11-21T20:12:00.000Z";
const since = "2026-11-21T20:11:05.000Z";
const start = "# Dialog\n> Format: 1\n> Provider: claude | Model: m\n\n## User\n\nGo\n\n## Assistant\n";
const opened = `${start}> Time: 2026-11-21T20:11:00.000Z - \n`;
const closed = `${start}> Time: 2026-11-21T20:11:00.000Z - 2026-11-21T20:11:01.000Z\n`;
const block = (id: string, rest: string): string => `\n---\nTool request: run_command [${id}]\n\n    {"command": "ls"}\n\n${rest}\n---\n`;
const approved = "Decision: approved\n";
const began = "Decision: approved\nStarted: 2026-11-21T20:11:09.000Z\n";
const done = `${began}Result:\n\n    {"success": true}\n`;

const next = `\n## Assistant\n> Time: ${since} - \n> Queued: ${since}\n`;

test.each<[string, string, boolean]>([
  ["an approved call", `${closed}${block("a", approved)}\n> Queued: ${since} a\n`, true],
  ["the results of its calls", `${closed}${block("a", done)}${next}`, true],
  ["its first request", `${opened}> Queued: ${since}\n`, false],
  ["the answer to a message", `${closed}\nHello.\n\n## User\n> Time: ${since}\n\nAnd this\n${next}`, false],
  ["its next request after it was interrupted", `${closed}${block("a", done)}\n> Stop: interrupted\n${next}`, false],
  ["its next request after the tokens ran out", `${closed}\nHello.\n\n> Stop: limit tokens (110 of 100 used)\n${next}`, false],
  ["nothing", `${closed}${block("a", done)}`, false],
])("a dialog that waits with %s: in the middle of a turn %s", (_what, text, isIn) => {
  expect(isParked(parseDialog(text))).toBe(isIn);
});

/** What happens to a file with the status active when an engine starts: `asks`, `runs <call>`, or how it ends. */
function found(file: string, atStart = true): string {
  const parsed = parseDialog(file);
  const dialog = parsed.format === null ? upgrade(parsed) : parsed;
  const event = { type: "found" as const, time, ...(atStart ? { atStart: true as const } : {}) };
  const taken = step({ dialog, status: "active", turn: null }, event, options);
  if (!taken.ok) return taken.refusal.kind;
  const [effect] = taken.effects;
  if (effect?.type === "request") return `asks ${effect.provider} ${taken.state.status}`;
  if (effect?.type === "run") return `runs ${effect.call.id} ${taken.state.status}`;
  const text = serialiseDialog(taken.state.dialog);
  expect(serialiseDialog(parseDialog(text))).toBe(text);
  return `${taken.state.status} ${text.trimEnd().split("\n").at(-1)}`;
}

const interrupted = "waiting > Stop: interrupted";

test.each<[string, string, string]>([
  ["a section that waits for its turn", `${opened}> Queued: ${since}\n`, "asks claude active"],
  ["one for which another provider was chosen", `${opened}> Provider: openai | Model: n\n> Queued: ${since}\n`, "asks openai active"],
  ["one in which the human has allowed something", `${opened}> Queued: ${since}\n\n> Authorized: run_command\n`, "asks claude active"],
  ["one without the line", opened, interrupted],
  ["one in which something was said", `${opened}> Queued: ${since}\n\nHello\n`, interrupted],
  ["one that has ended", `${closed}> Queued: ${since}\n`, interrupted],
  ["an allowed call that waits for its turn", `${closed}${block("a", approved)}\n> Queued: ${since} a\n`, "runs a active"],
  [
    "one with a word of the human's behind it",
    `${closed}${block("a", approved)}\n## User\n> Time: ${since}\n\nAnd this\n\n> Queued: ${since} a\n`,
    "runs a active",
  ],
  ["the first of two", `${closed}${block("a", approved)}${block("b", approved)}\n> Queued: ${since} a\n`, "runs a active"],
  ["the second of two", `${closed}${block("a", done)}${block("b", approved)}\n> Queued: ${since} b\n`, "runs b active"],
  ["a call that has begun since", `${closed}${block("a", began)}\n> Queued: ${since} a\n`, interrupted],
  ["a call that was answered since", `${closed}${block("a", done)}${block("b", approved)}\n> Queued: ${since} a\n`, interrupted],
  ["a call that nobody has allowed", `${closed}${block("a", "")}\n> Queued: ${since} a\n`, interrupted],
  ["a call that is not there", `${closed}${block("a", approved)}\n> Queued: ${since} b\n`, interrupted],
  ["a call without the line", `${closed}${block("a", approved)}`, interrupted],
  ["a line in the header", opened.replace("> Provider", `> Queued: ${since}\n> Provider`), interrupted],
  ["an earlier format, in which a text can look like the line", `${opened}> Queued: ${since}\n`.replace("> Format: 1\n", ""), interrupted],
])("%s", (_, file, expected) => {
  expect(found(file)).toBe(expected);
  // A file found while the engine is running was not queued in it.
  expect(found(file, false)).toBe(interrupted);
});

describe("the line", () => {
  test("goes when the section begins, and stays if it never begins, so that nobody takes it for a response that may have cost something", () => {
    const dialog = parseDialog(opened);
    const turn = { phase: "responding", requests: 1, running: null, held: [], content: "", autoExecuted: [] } as const;
    const queued = step({ dialog, status: "active", turn }, { type: "queued", time: since }, options);
    if (!queued.ok) throw new Error(queued.refusal.kind);
    expect(serialiseDialog(queued.state.dialog)).toBe(`${opened}> Queued: ${since}\n`);
    expect(queuedIn(queued.state.dialog)).toEqual({ since, call: null });
    const after = (event: Event, state: State = queued.state) => {
      const taken = step(state, event, options);
      if (!taken.ok) throw new Error(taken.refusal.kind);
      return taken.state;
    };
    const asked = after({ type: "asked", time });
    expect(serialiseDialog(asked.dialog)).not.toContain("Queued");
    const stop = { type: "stop", status: "waiting", tail: null, usage: null, time } as const;
    const stopped = serialiseDialog(after(stop).dialog);
    expect(stopped).toBe(`${opened.replace(" - ", ` - ${time}`)}> Queued: ${since}\n\n> Stop: aborted\n`);
    expect(queuedIn(parseDialog(stopped))).toBeNull();
    expect(paidResponses(stopped)).toEqual([]);
    const lost = serialiseDialog(after({ type: "found", time }).dialog);
    expect(paidResponses(lost)).toEqual([]);
    for (const event of [stop, { type: "found", time }] as const)
      expect(paidResponses(serialiseDialog(after(event, asked).dialog))).toMatchObject([{ provider: "claude", nanos: null }]);
    const again = step(queued.state, { type: "queued", time }, options);
    expect(again.ok && again.ops).toEqual([]);
  });

  test("can't be written by anybody's text", () => {
    const { dialog } = newDialog([{ key: "Provider", value: "claude" }]);
    const asked = openSection(dialog, "user", [], { open: false }).dialog;
    const said = addText(asked, `> Queued: ${since}\n## Assistant\n> Time: ${since} - \n> Queued: ${since}`).dialog;
    expect(queuedIn(parseDialog(serialiseDialog(said)))).toBeNull();
    expect(parseDialog(serialiseDialog(said)).sections).toHaveLength(1);
  });
});
