import { limits } from "../../protocol/limits.ts";
import type { TextType } from "../outside/hook-agents.ts";
import type { RouteContext } from "./context.ts";

/** The open answers of each agent key, which end with the key. */
export interface OpenAnswers {
  /** Returns a function to call when the answer is over by itself. */
  add(key: string, end: () => void): () => void;
  /** The key was revoked. */
  end(key: string): void;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new Map<string, Set<() => void>>();
  return {
    add(key, end) {
      const own = open.get(key) ?? new Set();
      open.set(key, own.add(end));
      return () => {
        own.delete(end);
        if (own.size === 0 && open.get(key) === own) open.delete(key);
      };
    },
    end(key) {
      for (const end of open.get(key) ?? []) end();
    },
  };
}

export interface LaterParts {
  readonly key: string;
  readonly open: OpenAnswers;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
  readonly later: RouteContext["later"];
  /** After this many milliseconds, `answer` is told to finish. */
  readonly ms: number;
  /** The content type of the answer. */
  readonly type: TextType;
}

/**
 * An answer that waits for the user. It starts at once and sends a space from time to time, so that no proxy or client gives up. If the agent
 * leaves, the wait ends.
 */
export function answerLater({ key, open, signal, later, ms, type }: LaterParts, answer: (ended: AbortSignal) => Promise<string>): Response {
  const ended = new AbortController();
  const leave = () => ended.abort();
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  const forget = open.add(key, leave);
  const encoder = new TextEncoder();
  let isOver = false;
  const over = () => {
    isOver = true;
    forget();
    signal.removeEventListener("abort", leave);
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const beat = () => {
        if (isOver) return;
        controller.enqueue(encoder.encode(" "));
        later(beat, limits.outsideAliveMs);
      };
      beat();
      later(leave, ms);
      void (async () => {
        try {
          const text = await answer(ended.signal);
          if (isOver) return;
          over();
          controller.enqueue(encoder.encode(text));
          controller.close();
        } catch (error) {
          if (isOver) return;
          over();
          controller.error(error);
        }
      })();
    },
    cancel() {
      over();
      leave();
    },
  });
  return new Response(body, { headers: { "content-type": type, "cache-control": "no-store" } });
}
