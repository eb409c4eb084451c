/**
 * Fetch over a port: a Request and its streamed Response as messages. One port carries any number of calls, told apart
 * by `id`, which the caller chooses.
 *
 * - The answer is one `head`, then `chunk`s, then one `end`; or one `error` at any point, after which nothing follows.
 * - The engine sends a `chunk` only against credit: a call begins with `firstCredit`, each `more` adds its `count`. So a slow reader
 *   slows its own stream and no other.
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

/** Chunks that may be on their way before the reader asks for more. */
export const firstCredit = 8;

/** A port that the page hands to the engine's worker. */
export interface EnginePort {
  /**
   * `port`: calls come over it. `hand-over`: the session's keys go out over it, as this page is about to be loaded again, or another one is
   * loaded beside it. `take-over`: they come in over it.
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
  /** The engine can't start: storage is refused, for one. */
  | { readonly kind: "failed"; readonly message: string }
  /** This worker was frozen and another tab has become the engine meanwhile. It has ended; a new one is to be started, as a relay. */
  | { readonly kind: "replaced" }
  /** A request of a command is to be made in a frame of its own, `net/`, which gets this port. */
  | { readonly kind: "request"; readonly port: MessagePort }
  /** This page is to serve a WebContainer over the port; see `src/shell/webcontainer/page-messages.ts`. Once for each worker, and only when it is wanted. */
  | { readonly kind: "computer"; readonly port: MessagePort }
  /** Programs of a dialog's `node` are to run in a frame of their own, `program/`, which gets this port; null: the frame of that number is to go. */
  | { readonly kind: "programs"; readonly id: number; readonly port: MessagePort | null }
  /** A command waits for the policy that the service worker adds: it is to be registered now. */
  | { readonly kind: "service-worker" };
