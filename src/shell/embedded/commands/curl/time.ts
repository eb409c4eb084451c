import type { AnswerListener, NetAnswer, NetRequest } from "../../../network.ts";
import type { CommonHost } from "../../host.ts";

/** The parts of the shell that a program with requests needs. */
export type NetHost = Pick<CommonHost, "fetch" | "stop" | "timeLeft">;

/** What has arrived of an answer. */
export interface Begun {
  head: Parameters<AnswerListener["head"]>[0] | null;
  readonly pieces: Uint8Array[];
}

/**
 * Returns the answer, or null if it takes longer than `limitMs`. `begun` receives what arrives until then. The time in which the user is asked does
 * not count, so the command's own clock is used.
 */
export async function withinTime(host: NetHost, request: NetRequest, limitMs: number | null, begun?: Begun): Promise<NetAnswer | null> {
  const late = new AbortController();
  const listener: AnswerListener = {
    head(head) {
      if (!begun) return;
      // After a redirect only the last answer counts.
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

/** Converts seconds as typed to milliseconds; null: not a number. */
export function millisecondsOf(text: string): number | null {
  return /^\d+(?:\.\d*)?$|^\.\d+$/.test(text) ? Number(text) * 1000 : null;
}
