import type { SharedKeys } from "../vault/keys.ts";
import type { FromEngine, ToEngine } from "../../protocol/port/messages.ts";
import { hold, type Hold } from "./hold.ts";
import { type FromLeader, type RelaySide, type Leader, leaderLock, type LobbyMessage } from "./messages.ts";
import type { Channel, TabsWorld } from "./world.ts";

/**
 * A worker without an engine: it passes its page's calls to the leader's engine, and the responses back.
 *
 * - A call is sent at most once. If the leader is gone, calls that were sent fail, because no one knows what was done. Calls that were not sent yet
 *   wait for the next leader. A `GET` changes nothing: if no part of its response has arrived, it is sent to the next leader too, but only to one, so
 *   that a read that crashes leaders doesn't crash all of them.
 * - A leader that doesn't answer pings while a call waits is `silent`. A frozen leader still holds its lock.
 */
export interface Relay {
  readonly take: (caller: Caller, message: ToEngine) => void;
  /** The leader has announced itself. */
  found(leader: Leader): void;
  /** Ends the relay. Returns the calls that were not sent yet. */
  leave(): readonly { readonly caller: Caller; readonly request: CallRequest }[];
}

/** A caller over a port of this worker, with its own ids. */
export interface Caller {
  readonly answer: (message: FromEngine, transfer?: Transferable[]) => void;
}

type CallRequest = Extract<ToEngine, { kind: "request" }>;

interface Call {
  readonly caller: Caller;
  readonly request: CallRequest;
  /** `answering`: the head has arrived. `streams`: it was the head of a stream, which may be silent for any time. */
  state: "unsent" | "sent" | "answering" | "streams";
  /** A leader ended before it answered this call. */
  lost: boolean;
}

export interface RelayParts {
  readonly world: TabsWorld;
  readonly name: string;
  readonly keys: SharedKeys;
  readonly lobby: (message: LobbyMessage) => void;
  readonly ready: () => void;
  readonly silent: () => void;
}

interface LeaderConnection {
  readonly name: string;
  readonly leader: Leader;
  readonly channel: Channel<RelaySide>;
  readonly locks: Hold[];
  /** The lock is held: the leader can be asked to connect. */
  held: boolean;
  /** The leader has answered: calls can be sent. */
  open: boolean;
}

/** Milliseconds between two pings to a leader that has to answer a call, and how many may stay unanswered: five seconds in all. */
const ping = { everyMs: 1_000, unanswered: 4 };

export function openRelay(parts: RelayParts): Relay {
  const { world, name, keys, lobby } = parts;
  /** By their ids on the connection. */
  const calls = new Map<number, Call>();
  let lastId = 0;
  let line: LeaderConnection | null = null;
  let unanswered = 0;
  let stopWatch: (() => void) | null = null;

  /** Pings the leader while a call waits. Counts pings, not time: a relay that was frozen itself has sent none. */
  function watch(): void {
    stopWatch ??= world.after(ping.everyMs, () => {
      stopWatch = null;
      if ([...calls.values()].every(({ state }) => state === "streams")) {
        unanswered = 0;
        return;
      }
      if (unanswered === ping.unanswered) {
        unanswered = 0;
        parts.silent();
      } else unanswered += 1;
      if (line?.open) line.channel.post({ kind: "ping" });
      else lobby({ kind: "who" });
      watch();
    });
  }

  function join(leader: Leader): void {
    hangUp();
    const own = `${name}-line-${world.random()}`;
    const joined: LeaderConnection = {
      name: own,
      leader,
      channel: world.channel<RelaySide>(own, (message) => {
        if (line === joined) hear(joined, message);
      }),
      locks: [],
      held: false,
      open: false,
    };
    line = joined;
    unanswered = 0;
    const held = () => {
      joined.held = true;
      askToJoin(joined);
    };
    const leaderIsGone = () => {
      if (line === joined) hangUp();
    };
    // Shared, so that a frozen relay blocks no one.
    joined.locks.push(hold(world, own, { held }), hold(world, leaderLock(name, leader), { held: leaderIsGone }, "shared"));
  }

  function askToJoin({ leader, name: own }: LeaderConnection): void {
    lobby({ kind: "join", leader, line: own });
  }

  function hangUp(): void {
    if (!line) return;
    line.channel.close();
    for (const lock of line.locks) lock.release();
    line = null;
    const message = "the tab doing this was closed or frozen, so it may or may not have been done";
    for (const [id, call] of calls) {
      const { state, caller, request } = call;
      if (state === "unsent") continue;
      if (state === "sent" && request.method === "GET" && !call.lost) {
        call.state = "unsent";
        call.lost = true;
        continue;
      }
      calls.delete(id);
      caller.answer({ kind: "error", id: request.id, message });
    }
  }

  function hear(from: LeaderConnection, message: FromLeader): void {
    unanswered = 0;
    switch (message.kind) {
      case "keys":
        keys.merge(message.keys);
        if (!from.open) opened(from);
        break;
      case "ready":
        parts.ready();
        break;
      case "head":
      case "chunk":
      case "end":
      case "error":
        pass(message);
        break;
      case "pong":
        break;
    }
  }

  function opened(from: LeaderConnection): void {
    from.open = true;
    from.channel.post({ kind: "keys", keys: keys.snapshot() });
    for (const [id, call] of calls) if (call.state === "unsent") send(from, id, call);
  }

  function send(to: LeaderConnection, id: number, call: Call): void {
    call.state = "sent";
    to.channel.post({ ...call.request, id });
  }

  function pass(message: FromEngine): void {
    const call = calls.get(message.id);
    if (!call) return;
    if (message.kind === "head") call.state = isStream(message.headers) ? "streams" : "answering";
    if (message.kind === "end" || message.kind === "error") calls.delete(message.id);
    call.caller.answer({ ...message, id: call.request.id }, message.kind === "chunk" ? [message.bytes.buffer] : []);
  }

  /** An unfinished call, by its caller's own id. */
  function find(caller: Caller, callersId: number): readonly [number, Call] | undefined {
    return [...calls].find(([, call]) => call.caller === caller && call.request.id === callersId);
  }

  lobby({ kind: "who" });

  return {
    take(caller, message) {
      if (message.kind === "request") {
        const call: Call = { caller, request: message, state: "unsent", lost: false };
        lastId += 1;
        calls.set(lastId, call);
        if (line?.open) send(line, lastId, call);
        watch();
        return;
      }
      const [id, call] = find(caller, message.id) ?? [];
      if (id === undefined || !call) return;
      if (message.kind === "cancel") calls.delete(id);
      if (call.state !== "unsent") line?.channel.post({ ...message, id });
    },
    found(leader) {
      if (line?.leader.id !== leader.id) join(leader);
      else {
        unanswered = 0;
        if (line.held && !line.open) askToJoin(line);
      }
    },
    leave() {
      stopWatch?.();
      stopWatch = null;
      hangUp();
      const unsent = [...calls.values()];
      calls.clear();
      return unsent;
    },
  };
}

function isStream(headers: Extract<FromEngine, { kind: "head" }>["headers"]): boolean {
  return headers.some(([name, value]) => name === "content-type" && value.startsWith("text/event-stream"));
}
