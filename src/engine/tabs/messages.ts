import type { KeySnapshot } from "../vault/keys.ts";
import type { FromEngine, ToEngine } from "../../protocol/port/messages.ts";

/**
 * The messages between the workers of a project's tabs. Two tabs may run different versions of the program: kinds are only added, and unknown kinds
 * are skipped.
 *
 * All workers listen on one channel, the lobby. A relay and its leader have a connection: a channel and a Web Lock with the same random name, chosen
 * by the relay. The relay holds the lock as long as it uses the connection, so the leader notices when the relay is gone, for any reason.
 */
export type LobbyMessage =
  /** A relay looks for the leader. */
  | { readonly kind: "who" }
  | { readonly kind: "leader"; readonly leader: Leader }
  /** A relay listens on `line` and holds its lock. Repeated if the leader has not answered. */
  | { readonly kind: "join"; readonly leader: Leader; readonly line: string }
  /** The keys of a leader that was replaced while it was frozen, which its relays could no longer receive. */
  | { readonly kind: "keys"; readonly keys: KeySnapshot };

export interface LobbySide {
  hears: LobbyMessage;
  says: LobbyMessage;
}

/** The worker with the engine. If two claim to be the leader, the later one is right: the other was frozen and doesn't know yet. */
export interface Leader {
  /** Milliseconds since 1970 when it became the leader, or more: greater than that of every leader it knew. */
  readonly since: number;
  readonly id: string;
}

type ToLeader = ToEngine | { readonly kind: "ping" } | { readonly kind: "keys"; readonly keys: KeySnapshot };

export type FromLeader =
  | FromEngine
  | { readonly kind: "pong" }
  /** The first message on a connection. Repeated after each change. */
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

/** The leader's own lock. Anyone who gets it knows that this leader is gone. */
export function leaderLock(project: string, { id }: Leader): string {
  return `${project}-leader-${id}`;
}
