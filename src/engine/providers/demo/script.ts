import type { Dialog, JsonObject } from "../../../dialog/model.ts";
import { asksForMore, asksToWait, callId, type CallHistory, readCallHistory } from "./call-history.ts";

/** One answer: the agent's text, then its calls. Without calls, the turn is over. */
export interface Step {
  readonly text: string;
  readonly calls: readonly StepCall[];
}

export interface StepCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** A scripted agent's part. Its beats are played in order. Each begins when everything before it is settled. */
export interface Script {
  /** The first text. It says that this is a script. */
  readonly greeting: string;
  readonly beats: readonly Beat[];
  /** The last answer of the part. */
  end(past: CallHistory): string;
  /** Every answer after the end. */
  readonly after: string;
}

/** One step of the story: calls that are made together, and the text around them. */
export interface Beat {
  /** The keys of the calls, which are part of their ids: `[a-z]+`, used only by this beat. */
  readonly keys: readonly string[];
  /** Whether the story needs this beat, given what happened so far. True if missing. */
  when?(past: CallHistory): boolean;
  say(past: CallHistory): string;
  ask(past: CallHistory, key: string): { readonly name: string; readonly input: JsonObject };
  /** What the agent says about the results before it continues. */
  remark(past: CallHistory): string;
  /** How often a failed call is made again. 0 if missing. A denied call is only made again if the user asks for it. */
  readonly again?: number;
}

/**
 * The next answer in a dialog. It depends only on the dialog and the system text.
 *
 * - A denied call isn't made again, unless the user writes "again".
 * - Every beat makes its calls a limited number of times, so the part ends whatever happens to the calls.
 * - After a reload, a stop or an interruption, the part continues after the last call in the dialog.
 */
export function nextStepOf(script: Script, dialog: Dialog, system: string): Step {
  const past = readCallHistory(dialog, system);
  if (past.lastKeys.some((key) => past.outcome(key)?.kind === "open")) {
    return { text: "I've asked for something above and I'm waiting for your answer.\n\n> Waiting: OK to go ahead?", calls: [] };
  }
  const opening = past.fresh ? [script.greeting] : remarks(script, past);
  const said = past.fresh ? null : past.said;
  if (said !== null && asksToWait(said)) {
    return { text: join([...opening, "I'll stop here and do nothing until you write again.", "> Waiting: Should I continue?"]), calls: [] };
  }

  const refused = past.lastKeys.filter((key) => isRefused(past, key));
  const repeated = script.beats.find((beat) => beat.keys.some((key) => refused.includes(key)));
  if (repeated && said !== null && asksForMore(said)) return ask(repeated, refused, past, ["You said *again*, so I'm asking again."]);

  for (const beat of script.beats) {
    const due = beat.keys.filter((key) => isDue(beat, key, past));
    if (due.length === 0 || beat.when?.(past) === false) continue;
    const words = due.some((key) => past.tries(key) > 0) ? "I'll try once more." : beat.say(past);
    return ask(beat, due, past, [...opening, replyTo(said, past), words]);
  }
  return { text: past.rested ? script.after : join([...opening, replyTo(said, past), script.end(past)]), calls: [] };
}

function isRefused(past: CallHistory, key: string): boolean {
  const kind = past.outcome(key)?.kind;
  return kind === "denied" || kind === "failed";
}

function isDue(beat: Beat, key: string, past: CallHistory): boolean {
  const outcome = past.outcome(key);
  return outcome === null || (outcome.kind === "failed" && past.tries(key) <= (beat.again ?? 0));
}

function ask(beat: Beat, keys: readonly string[], past: CallHistory, texts: readonly string[]): Step {
  return { text: join(texts), calls: keys.map((key) => ({ id: callId(key, past), ...beat.ask(past, key) })) };
}

function remarks(script: Script, past: CallHistory): string[] {
  return script.beats.filter((beat) => beat.keys.some((key) => past.news.includes(key))).map((beat) => beat.remark(past));
}

/** A script says that it can't answer. Not after a denied call: there the script asked the user to write something. */
function replyTo(said: string | null, past: CallHistory): string {
  if (said === null || past.news.some((key) => past.outcome(key)?.kind === "denied")) return "";
  return "I'm a script, so I can't answer that. I'll stick to my part.";
}

function join(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}
