import type { KeySnapshot } from "../vault/keys.ts";
import type { FromEngine, ToEngine } from "../../protocol/port/messages.ts";

/**
 * What the workers of a project's tabs say to each other. Two tabs may run two versions of the program: kinds are only ever
 * added, and a kind that is not known is skipped.
 *
 * All of them listen on one channel, the lobby. A relay and its leader have a line between them: a channel and a Web Lock of one
 * random name, which the relay has chosen. The relay holds the lock as long as it uses the line, so the leader knows when
 * it is gone, whatever became of it.
 */
export type LobbyMessage =
  /** A relay looks for the leader. */
  | { readonly kind: "who" }
  | { readonly kind: "leader"; readonly leader: Leader }
  /** A relay listens on `line`, and holds its lock. Said again when the leader has not answered. */
  | { readonly kind: "join"; readonly leader: Leader; readonly line: string }
  /** Of a leader that was replaced while it was frozen: what its relays could not hear anymore. */
  | { readonly kind: "keys"; readonly keys: KeySnapshot };

export interface LobbySide {
  hears: LobbyMessage;
  says: LobbyMessage;
}

/** Who has the engine. Of two that say so, the later one is right: the other was frozen, and does not know yet. */
export interface Leader {
  /** Milliseconds since 1970 when it became the leader, or more: greater than that of every leader it had heard of. */
  readonly since: number;
  readonly id: string;
}

type ToLeader = ToEngine | { readonly kind: "ping" } | { readonly kind: "keys"; readonly keys: KeySnapshot };

export type FromLeader =
  | FromEngine
  | { readonly kind: "pong" }
  /** The first message on a line, and again after each change. */
  | { readonly kind: "keys"; readonly keys: KeySnapshot }
  /** The engine answers. */
  | { readonly kind: "ready" };

export interface RelaySide {
  hears: FromLeader;
  says: ToLeader;
}

export interface LeaderSide {
  hears: ToLeader;
  says: FromLeader;
}

export function isLater(leader: Leader, than: Leader): boolean {
  return leader.since > than.since || (leader.since === than.since && leader.id > than.id);
}

/** The leader's own lock: anyone who gets it knows that this leader is gone, anyone who is the next. */
export function leaderLock(project: string, { id }: Leader): string {
  return `${project}-leader-${id}`;
}
