import { ranWith } from "../../../dialog/call-json.ts";
import { addMeta, openSection, setCall, timeValue } from "../../../dialog/edit.ts";
import type { Call, Dialog } from "../../../dialog/model.ts";
import { lastSection, standing } from "../../../dialog/sections.ts";
import { sayingChanges } from "./changes.ts";
import type { Draft } from "./draft.ts";
import type { Effect, MachineOptions, State, Turn } from "./model.ts";
import { isRunnable, isUndecided, lastCalls } from "./queries.ts";

/** What the turn does once the current event is written. */
export interface Next {
  readonly status: State["status"];
  readonly turn: Turn | null;
  readonly effects: readonly Effect[];
}

/**
 * Looks at the calls of the last response and decides what happens next, in this order: an approved call runs, one at a time. An undecided call
 * waits for the user. When all calls are settled, the provider is asked, unless the user only denied: a denial alone ends the turn, and a denial
 * with a prompt continues with the prompt as its reason.
 */
export function nextStep(file: Draft, turn: Turn, time: string, options: MachineOptions): Next {
  const calls = lastCalls(file.dialog);
  if (turn.running !== null) return { status: "active", turn: { ...turn, phase: "settling" }, effects: [] };
  for (const call of calls.filter(isRunnable)) {
    const run = call.changed === undefined ? call : { ...call, input: ranWith(call) };
    const error = options.check(run, file.dialog);
    if (error === null) {
      return { status: "active", turn: { ...turn, phase: "settling", running: call.id }, effects: [{ type: "run", call: run }] };
    }
    // The call can't run, approved or not. It gets an error, like an impossible call that needs no decision.
    file.edit((dialog) => setCall(dialog, call.id, { result: sayingChanges(call, { success: false, error }) }));
  }

  const undecided = calls.filter(isUndecided);
  if (undecided.length > 0) return waitForHuman(turn, undecided);

  const humanSpoke = lastSection(file.dialog)?.role === "user";
  const denied = calls.some((call) => call.decision === "denied");
  if (!humanSpoke && (denied || calls.length === 0)) return over("waiting", turn, []);
  return turn.requests >= options.requestsPerTurn ? tooMany(file, turn) : request(file, turn, time);
}

/** The turn has reached its limit of requests, so the user has to act. */
export function tooMany(file: Draft, turn: Turn): Next {
  file.edit((dialog) => addMeta(dialog, [{ key: "Stop", value: "limit requests in one turn" }]));
  return over("waiting", turn, []);
}

/** Answers each call that couldn't run whatever the user decides: an unknown tool, or input that isn't an object or lacks a field. */
export function answerImpossible(file: Draft, options: MachineOptions): void {
  for (const call of lastCalls(file.dialog).filter(isUndecided)) {
    const error = options.check(call, file.dialog);
    if (error !== null) file.edit((dialog) => setCall(dialog, call.id, { result: { success: false, error } }));
  }
}

/** Opens the section of the next response and requests it. */
export function request(file: Draft, turn: Turn, time: string, change?: { provider: string; model: string }): Next {
  const provider = change?.provider ?? currentProvider(file.dialog);
  const model = change?.model ?? currentModel(file.dialog);
  const changed = provider !== currentProvider(file.dialog) || model !== currentModel(file.dialog);
  const head = [
    { key: "Time", value: timeValue(time) },
    ...(changed
      ? [
          { key: "Provider", value: provider },
          { key: "Model", value: model },
        ]
      : []),
  ];
  file.edit((dialog) => openSection(dialog, "assistant", head, { open: true }));
  return {
    status: "active",
    turn: { ...turn, phase: "responding", requests: turn.requests + 1, running: null },
    effects: [{ type: "request", provider, model }],
  };
}

export function waitForHuman(turn: Turn, calls: readonly Call[], before: readonly Effect[] = [], interrupted = false): Next {
  return {
    status: "waiting",
    turn: null,
    effects: [...before, { type: "tool_request", calls }, { type: "done", turn, calls, interrupted }],
  };
}

export function over(status: "waiting" | "done", turn: Turn, before: readonly Effect[], interrupted = false): Next {
  return { status, turn: null, effects: [...before, { type: "done", turn, calls: [], interrupted }] };
}

export function currentProvider(dialog: Dialog): string {
  return standing(dialog).provider ?? "";
}

export function currentModel(dialog: Dialog): string {
  return standing(dialog).model ?? "";
}
