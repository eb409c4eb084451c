import type { SharedKeys } from "../vault/keys.ts";
import { answerCalls, type Handler } from "../../protocol/port/answer-calls.ts";
import { hold } from "./hold.ts";
import { type FromLeader, type Leader, leaderLock, type LeaderSide, type LobbyMessage } from "./messages.ts";
import type { TabsWorld } from "./world.ts";

/**
 * The worker with the engine, from the perspective of the other tabs' workers: it answers their calls, cancels the calls of a tab that is gone, and
 * shares the keys.
 */
export interface Leading {
  heard(message: LobbyMessage): void;
  /** The engine answers from now on. */
  ready(): void;
  close(): void;
}

export interface LeaderParts {
  readonly world: TabsWorld;
  readonly name: string;
  readonly self: Leader;
  readonly keys: SharedKeys;
  readonly handler: Handler;
  readonly lobby: (message: LobbyMessage) => void;
}

interface RelayConnection {
  post(message: FromLeader): void;
  /** Sends everything that a relay needs at the start. */
  greet(): void;
  close(): void;
}

export function openLeader({ world, name, self, keys, handler, lobby }: LeaderParts): Leading {
  const relays = new Map<string, RelayConnection>();
  let isReady = false;
  let isAlive = false;
  // Not before the lock is held: a relay that got it first would conclude that this leader is gone.
  const announce = () => {
    if (isAlive) lobby({ kind: "leader", leader: self });
  };

  function open(lineName: string): RelayConnection {
    const channel = world.channel<LeaderSide>(lineName, (message) => {
      switch (message.kind) {
        case "ping":
          channel.post({ kind: "pong" });
          break;
        case "keys":
          keys.merge(message.keys);
          break;
        case "request":
        case "more":
        case "cancel":
          answering.take(message);
          break;
      }
    });
    let closed = false;
    const post = (message: FromLeader) => {
      if (!closed) channel.post(message);
    };
    const answering = answerCalls(handler, post);
    const relay = hold(world, lineName, { held: () => line.close() });
    const line: RelayConnection = {
      post,
      greet() {
        post({ kind: "keys", keys: keys.snapshot() });
        if (isReady) post({ kind: "ready" });
      },
      close() {
        closed = true;
        relays.delete(lineName);
        relay.release();
        answering.cancelAll();
        channel.close();
      },
    };
    relays.set(lineName, line);
    return line;
  }

  const alive = hold(world, leaderLock(name, self), {
    held() {
      isAlive = true;
      announce();
    },
  });
  const stopSharing = keys.observe(() => {
    for (const line of relays.values()) line.post({ kind: "keys", keys: keys.snapshot() });
  });

  return {
    heard(message) {
      switch (message.kind) {
        case "who":
          announce();
          break;
        case "join":
          if (message.leader.id === self.id) (relays.get(message.line) ?? open(message.line)).greet();
          break;
        case "keys":
          keys.merge(message.keys);
          break;
        case "leader":
          break;
      }
    },
    ready() {
      isReady = true;
      for (const line of relays.values()) line.post({ kind: "ready" });
    },
    close() {
      stopSharing();
      for (const line of relays.values()) line.close();
      alive.release();
    },
  };
}
