import { MOST_COMMAND_SECONDS } from "../../dialog/ids.ts";
import type { Json } from "../../dialog/model.ts";
import type { MessageView } from "../../protocol/index.ts";
import { isObject } from "../calls/describe.ts";
import * as t from "../texts/dialog-details.ts";

/** Seconds that a command may run: the minimum, the maximum, and what is offered when a limit has stopped a command. */
export const commandSeconds = { least: 1, most: MOST_COMMAND_SECONDS, offered: [120, 600] } as const;

/** The seconds typed into a field, or what is wrong with them. */
export function parseSeconds(
  typed: string,
): { readonly ok: true; readonly seconds: number } | { readonly ok: false; readonly why: string } {
  const { least, most } = commandSeconds;
  const seconds = /^\d+$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  return seconds >= least && seconds <= most ? { ok: true, seconds } : { ok: false, why: t.secondsWrong(least, most) };
}

/** The seconds after which the time limit stopped the last such command of these messages; null if it stopped none. */
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

/** The limits offered after a command was stopped: only longer ones than the current limit. */
export function longerLimits(stopped: number | null, now: number): number[] {
  return stopped === null || now > stopped ? [] : commandSeconds.offered.filter((seconds) => seconds > now);
}
