import type { Json } from "../../engine/format/model.ts";
import type { MessageView } from "../../engine/api.ts";
import { isObject } from "../calls/describe.ts";
import { counted } from "../shell/words.ts";

/** Seconds that a command may run: the least, the most, and what is offered when a limit has stopped one. */
export const commandSeconds = { least: 1, most: 3_600, offered: [120, 600] } as const;

/** "30 s", "2 min", "1 min 30 s", "1 hour". */
export function secondsWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (rest === 0 && minutes % 60 === 0) return counted(minutes / 60, "hour");
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** The seconds in a field, or what is wrong with them. */
export function parseSeconds(
  typed: string,
): { readonly ok: true; readonly seconds: number } | { readonly ok: false; readonly why: string } {
  const { least, most } = commandSeconds;
  const seconds = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  return seconds >= least && seconds <= most
    ? { ok: true, seconds }
    : { ok: false, why: `Please give whole seconds from ${least} to ${most}.` };
}

/** The seconds after which the time limit stopped a command of these messages, the last one of them; null when it stopped none. */
export function stoppedAfter(messages: readonly Pick<MessageView, "parts">[]): number | null {
  for (const part of messages.flatMap(({ parts }) => parts).toReversed()) {
    const seconds = part.kind === "call" ? timeLimit(part.call.result) : null;
    if (seconds !== null) return seconds;
  }
  return null;
}

/** `limit: "time: 30 s"` in the result of a command. */
function timeLimit(result: Json): number | null {
  const limit = isObject(result) ? result["limit"] : null;
  const [, seconds] = typeof limit === "string" ? (/^time: (\d+) s\b/.exec(limit) ?? []) : [];
  return seconds === undefined ? null : Number(seconds);
}

/** What is offered after a command was stopped: only what is longer than what holds now. */
export function longerLimits(stopped: number | null, now: number): number[] {
  return stopped === null || now > stopped ? [] : commandSeconds.offered.filter((seconds) => seconds > now);
}
