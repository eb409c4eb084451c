import { agentOf } from "../../../dialog/agent.ts";
import { authorized } from "../../../dialog/authority.ts";
import { allowedMeta, allowingLines, type Grants, grantsOf, type Subject, withPatternWord } from "../../../dialog/grants.ts";
import { maxStrikes, strikesIn } from "../../../dialog/progress.ts";
import { standing } from "../../../dialog/sections.ts";
import { addCall, addMeta, appendText, closeHead, closeIncompleteCalls, completeCall, setCall, startCall } from "../../../dialog/edit.ts";
import type { Call, Meta } from "../../../dialog/model.ts";
import { metaValue } from "../../../dialog/serialise.ts";
import { draft, type Draft } from "./draft.ts";
import type { LastTextPiece } from "../../../dialog/text-writer.ts";
import type { AuthorityChange, Event, MachineOptions, State, Step } from "./model.ts";
import { writeAuthority } from "./user-input.ts";
import { isUndecided, lastCalls } from "./queries.ts";
import { answerImpossible, over, nextStep, waitForHuman } from "./next-step.ts";
import { cachedLines, costLines } from "../../cost/lines.ts";
import { contextLines, estimateLines, usageLines } from "./usage.ts";
import { ignore } from "./ignore.ts";

type Ending = Extract<Event, { type: "ended" }>;
type Used = Pick<Ending, "usage" | "cost">;

export function text(state: State, event: Extract<Event, { type: "text" }>): Step {
  const { turn } = state;
  if (turn?.phase !== "responding") return ignore(state);
  const file = draft(state.dialog);
  file.edit((dialog) => appendText(dialog, event.piece));
  return {
    ok: true,
    state: { ...state, dialog: file.dialog, turn: { ...turn, content: addToContent(turn.content, event.piece) } },
    ops: file.ops,
    effects: [],
    durability: "relaxed",
  };
}

/** Writes the line of a call as soon as it begins, so that the file shows what was lost if nothing more comes. */
export function callStart(state: State, event: Extract<Event, { type: "call_start" }>): Step {
  const { turn } = state;
  if (turn?.phase !== "responding") return ignore(state);
  const file = draft(state.dialog);
  const content = writeTail(file, turn.content, event.tail);
  file.edit((dialog) => startCall(dialog, event));
  return {
    ok: true,
    state: { ...state, dialog: file.dialog, turn: { ...turn, content } },
    ops: file.ops,
    effects: [],
    durability: "relaxed",
  };
}

/** Adds a complete call as an undecided block. Whether it may run is decided when the response ends by itself. */
export function call(state: State, event: Extract<Event, { type: "call" }>): Step {
  const { turn } = state;
  if (turn?.phase !== "responding") return ignore(state);
  const file = draft(state.dialog);
  const content = writeTail(file, turn.content, event.tail);
  const input = event.input.ok ? event.input.value : { invalid: event.input.raw };
  const { at, id, name } = event;
  const said = { name, input, decision: null, started: null, result: undefined };
  file.edit((dialog) => (at === undefined ? addCall(dialog, { id, ...said }) : completeCall(dialog, at, said)));
  return {
    ok: true,
    state: { ...state, dialog: file.dialog, turn: { ...turn, content } },
    ops: file.ops,
    effects: [],
    durability: "relaxed",
  };
}

/**
 * The response is over. If it ended by itself, its calls run. Otherwise its complete calls are left to the user, and the provider isn't asked
 * again.
 */
export function ended(state: State, event: Extract<Event, { type: "ended" }>, options: MachineOptions): Step {
  const { turn } = state;
  if (turn?.phase !== "responding") return ignore(state);
  const file = draft(state.dialog);
  const content = writeTail(file, turn.content, event.tail);
  closeSection(file, event.stop, event, event.window, event.time);
  // Permissions that the user gave during the response are written below the calls and don't apply to them.
  const allowed = new Set(authorized(file.dialog));
  for (const change of turn.held) if ("tool" in change && !change.allow) allowed.delete(change.tool);
  const grants = grantsWithout(file, turn.held);
  writeAuthority(file, turn.held);
  const now = { ...turn, held: [], content };
  const stored = { ok: true, durability: "strict" } as const;

  answerImpossible(file, options);
  if (event.stop.kind !== "end") {
    const undecided = lastCalls(file.dialog).filter(isUndecided);
    const failed = event.stop.kind === "error" ? [{ type: "failed", message: event.stop.message } as const] : [];
    const interrupted = event.stop.kind === "aborted" || event.stop.kind === "interrupted";
    const next = undecided.length > 0 ? waitForHuman(now, undecided, failed, interrupted) : over("waiting", now, failed, interrupted);
    return { ...stored, state: { dialog: file.dialog, status: next.status, turn: null }, ops: file.ops, effects: next.effects };
  }
  const undecided = lastCalls(file.dialog).filter(isUndecided);
  const escalated = new Set(agentOf(file.dialog)?.escalates);
  const runs = ({ name, input }: Call): boolean =>
    allowed.has(name) && !escalated.has(name) && options.asksAlways?.({ name, input }) !== true;
  for (const one of undecided.filter(runs)) file.edit((dialog) => setCall(dialog, one.id, { decision: "approved" }));
  letThrough(file, grants, event.subjects ?? new Map());
  if (lastCalls(file.dialog).length === 0 && strikesIn(file.dialog) >= maxStrikes) {
    const halted = { kind: "limit", which: "no progress" } as const;
    file.edit((dialog) => addMeta(dialog, stopLines(halted)));
    const halt = over("waiting", now, []);
    return { ...stored, state: { dialog: file.dialog, status: halt.status, turn: halt.turn }, ops: file.ops, effects: halt.effects };
  }
  const next =
    lastCalls(file.dialog).length === 0
      ? over(event.tail?.waiting ? "waiting" : "done", now, [])
      : nextStep(file, now, event.time, options);
  return { ...stored, state: { dialog: file.dialog, status: next.status, turn: next.turn }, ops: file.ops, effects: next.effects };
}

/** The patterns that allow calls, without those that were revoked while the section was being written. */
function grantsWithout(file: Draft, held: readonly AuthorityChange[]): Grants {
  let last = standing(file.dialog).patterns;
  for (const change of held) if ("tool" in change && !change.allow) last = withPatternWord(last, change.tool, false, "this dialog");
  return grantsOf(last);
}

/** Approves the undecided calls that patterns cover, and notes below them which lines allowed them. */
function letThrough(file: Draft, grants: Grants, subjects: ReadonlyMap<string, Subject>): void {
  const said: Meta[] = [];
  const escalated = new Set(agentOf(file.dialog)?.escalates);
  for (const { id, name } of lastCalls(file.dialog).filter(isUndecided)) {
    if (escalated.has(name)) continue;
    const subject = subjects.get(id);
    const lines = subject && allowingLines(grants, subject);
    if (!lines) continue;
    file.edit((dialog) => setCall(dialog, id, { decision: "approved" }));
    said.push(...allowedMeta(id, lines));
  }
  if (said.length > 0) file.edit((dialog) => addMeta(dialog, said));
}

/**
 * Ends the section that is being written: writes its end time, why it stopped if not by itself, the reported usage and cost, and a context
 * warning if the window is filling up. Calls that are not complete stay incomplete.
 */
export function closeSection(file: Draft, stop: Ending["stop"], used: Used, window: number | null, time: string): void {
  file.edit(closeIncompleteCalls);
  file.edit((dialog) => closeHead(dialog, time));
  const lines = stopLines(stop);
  const { usage, cost } = used;
  if (usage) lines.push(...usageLines(file.dialog, usage), ...cachedLines(usage));
  else lines.push(...estimateLines(file.dialog));
  if (cost) lines.push(...costLines(file.dialog, cost));
  if (usage) lines.push(...contextLines(file.dialog, usage, window));
  if (lines.length > 0) file.edit((dialog) => addMeta(dialog, lines));
}

/** The line that says why a response stopped. None if it ended by itself. */
export function stopLines(stop: Ending["stop"]): Meta[] {
  const reason = stopText(stop);
  return reason === null ? [] : [{ key: "Stop", value: reason }];
}

function stopText(stop: Ending["stop"]): string | null {
  switch (stop.kind) {
    case "limit":
      return metaValue(`limit ${stop.which}`);
    case "end":
      return null;
    case "error":
      return metaValue(`error ${stop.message}`);
    default:
      return stop.kind;
  }
}

/** Writes the rest of a streamed text. Returns the turn's text including it. */
export function writeTail(file: Draft, content: string, tail: LastTextPiece | null): string {
  if (!tail) return content;
  file.edit((dialog) => appendText(dialog, tail));
  return tail.meta.reduce(
    (sum, { key, value }) => addToContent(sum, { text: `> ${key}: ${value}`, starts: true }),
    addToContent(content, tail),
  );
}

/** A blank line separates the texts of one turn. */
function addToContent(content: string, piece: { readonly text: string; readonly starts: boolean }): string {
  return content + (piece.starts && content !== "" ? "\n\n" : "") + piece.text;
}
