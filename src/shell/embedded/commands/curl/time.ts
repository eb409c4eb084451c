import type { AnswerListener, NetAnswer, NetRequest } from "../../../network.ts";
import type { CommonHost } from "../../host.ts";

/** What a program that makes requests asks of the shell. */
export type NetHost = Pick<CommonHost, "fetch" | "stop" | "timeLeft">;

/** What had come of an answer. */
export interface Begun {
  head: Parameters<AnswerListener["head"]>[0] | null;
  readonly pieces: Uint8Array[];
}

/**
 * The answer, or null when it took longer than `limitMs`: then it is not waited for. `begun` takes what comes until then. The time that a human takes to answer does not count, so it is the command's own clock
 * that is asked.
 */
export async function withinTime(host: NetHost, request: NetRequest, limitMs: number | null, begun?: Begun): Promise<NetAnswer | null> {
  const late = new AbortController();
  const listener: AnswerListener = {
    head(head) {
      if (!begun) return;
      // Of a redirect only the last answer counts.
      begun.head = head;
      begun.pieces.length = 0;
    },
    data: (bytes) => void begun?.pieces.push(bytes),
  };
  const answer = host.fetch(request, { signal: late.signal, listener });
  if (limitMs === null) return answer;
  const until = host.timeLeft() - limitMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<null>((resolve) => {
    const look = (): void => {
      const left = host.timeLeft() - until;
      if (left <= 0) resolve(null);
      else timer = setTimeout(look, left);
    };
    look();
  });
  const first = await Promise.race([answer, over]);
  clearTimeout(timer);
  if (first === null) late.abort();
  return first;
}

/** Seconds as typed, in milliseconds; null: it is no number. */
export function millisecondsOf(text: string): number | null {
  return /^\d+(?:\.\d*)?$|^\.\d+$/.test(text) ? Number(text) * 1000 : null;
}
