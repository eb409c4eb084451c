/**
 * Fetch over a port: a Request and its streamed Response as messages. One port carries any number of calls. The caller chooses an `id` for each.
 *
 * - The response is one `head`, then `chunk`s, then one `end`. Or one `error` at any point, after which nothing follows.
 * - The engine sends a `chunk` only against credit: a call begins with `firstCredit`, and each `more` adds its `count`. So a slow reader slows only
 *   its own stream.
 * - After `cancel` the engine sends nothing more for that id.
 */
export type ToEngine =
  | {
      readonly kind: "request";
      readonly id: number;
      readonly method: string;
      /** Path and query under the app's base, with a leading slash. */
      readonly path: string;
      readonly headers: readonly (readonly [string, string])[];
      readonly body: ArrayBuffer | null;
    }
  | { readonly kind: "more"; readonly id: number; readonly count: number }
  | { readonly kind: "cancel"; readonly id: number };

export type FromEngine =
  | { readonly kind: "head"; readonly id: number; readonly status: number; readonly headers: readonly (readonly [string, string])[] }
  | { readonly kind: "chunk"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly id: number }
  | { readonly kind: "error"; readonly id: number; readonly message: string };

/** Chunks that may be in transit before the reader asks for more. */
export const firstCredit = 8;

/** A port that the page hands to the engine's worker. */
export interface EnginePort {
  /**
   * `port`: carries calls. `hand-over`: the session's keys leave over it, because this page is about to reload or another one opens next to it.
   * `take-over`: the keys arrive over it.
   */
  readonly kind: "port" | "hand-over" | "take-over";
  readonly port: MessagePort;
}

/** What the engine's worker tells the page outside of calls. */
export type WorkerNews =
  /** Calls are answered, by this worker or through it. */
  | { readonly kind: "ready" }
  /** The engine waits for another tab before it can start. */
  | { readonly kind: "waiting"; readonly message: string }
  /** The engine can't start, for example because storage is refused. */
  | { readonly kind: "failed"; readonly message: string }
  /** This worker was frozen, and another tab has become the engine in that time. The worker has ended. Start a new one, which becomes a relay. */
  | { readonly kind: "replaced" }
  /** Make a command's request in its own frame, `net/`, which gets this port. */
  | { readonly kind: "request"; readonly port: MessagePort }
  /**
   * Serve a WebContainer over the port. See `src/shell/webcontainer/page-messages.ts`. Sent once per worker, and only if a WebContainer is wanted.
   */
  | { readonly kind: "computer"; readonly port: MessagePort }
  /** Run programs of a dialog's `node` in their own frame, `program/`, which gets this port. Null: remove the frame of that number. */
  | { readonly kind: "programs"; readonly id: number; readonly port: MessagePort | null }
  /** A command waits for the policy that the service worker adds: register the service worker now. */
  | { readonly kind: "service-worker" };
