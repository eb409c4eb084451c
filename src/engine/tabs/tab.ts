import { type KeySnapshot, memoryKeys, type SharedKeys } from "../vault/keys.ts";
import { type Answering, answerCalls, type Handler } from "../../protocol/port/answer-calls.ts";
import type { ToEngine, WorkerNews } from "../../protocol/port/messages.ts";
import { asOldest, type CarriedKeys, keysToCarry, ownOrOther } from "./carried-keys.ts";
import { type Caller, openRelay } from "./relay.ts";
import { engineLock } from "../../protocol/project-name.ts";
import { hold, type Hold } from "./hold.ts";
import { type Leading, openLeader } from "./leader.ts";
import { type Leader, isLater, type LobbySide } from "./messages.ts";
import type { TabsWorld } from "./world.ts";

export interface TabParts {
  readonly world: TabsWorld;
  /** The name of the project. */
  readonly name: string;
  /**
   * Starts the engine. Called at most once, when this worker becomes the leader. Calls `failed` if the started engine can't continue: another tab may
   * then lead.
   */
  readonly start: (keys: SharedKeys, failed: (error: unknown) => void) => Promise<Handler>;
  readonly tell: (news: WorkerNews) => void;
  /** Ends this worker with everything that runs in it. */
  readonly end: () => void;
}

/**
 * A tab's worker. It either holds the project's Web Lock and has the engine, or it is a relay to the worker that has it. A relay becomes the leader
 * as soon as it gets the lock. So there is one engine, however many tabs are open, and a page does not know which tab has it.
 */
export interface Tab {
  /** Answers calls of the page or of anyone else with a port. Returns the function that takes the calls. */
  connect(answer: Caller["answer"]): (message: ToEngine) => void;
  /** The keys in memory, for the worker that replaces this one. Null if there are none. */
  handOver(): CarriedKeys | null;
  takeOver(handed: readonly CarriedKeys[]): void;
}

export function openTab({ world, name, start, tell, end }: TabParts): Tab {
  const keys = memoryKeys();
  let leading: Leading | null = null;
  /** The last known leader, which may be this worker. */
  let known: Leader | null = null;
  /** Keys of another project's tab, for the first worker of this project: an existing leader has newer ones. */
  let ofOtherProject: KeySnapshot = [];

  const lobby = world.channel<LobbySide>(`${name}-tabs`, (message) => {
    if (message.kind === "leader") foundLeader(message.leader);
    else leading?.heard(message);
  });
  const relay = openRelay({
    world,
    name,
    keys,
    lobby: lobby.post,
    ready: () => tell({ kind: "ready" }),
    silent() {
      if (leading) return;
      // If many wait for one leader, one of them takes over. If the new leader hangs too, the same happens again.
      if (turn) steal();
      else turn = hold(world, `${name}-instead-of-${known?.id ?? "none"}`, { held: steal });
    },
  });
  let turn: Hold | null = null;
  let take: (caller: Caller, message: ToEngine) => void = relay.take;
  let lock = wait("exclusive");

  function foundLeader(found: Leader): void {
    // A frozen leader that wakes up may announce itself before it knows that it was replaced.
    if (known && isLater(known, found)) return;
    if (known?.id !== found.id) {
      turn?.release();
      turn = null;
    }
    known = found;
    if (leading) replaced();
    else relay.found(found);
  }

  function wait(way: "exclusive" | "steal") {
    return hold(world, engineLock(name), { held: lead, stolen: replaced, refused }, way);
  }

  function steal(): void {
    if (leading) return;
    lock.release();
    lock = wait("steal");
  }

  /** Without locks there could be two engines, so none is started. */
  function refused(error: unknown): void {
    world.report(error);
    const message = `the browser doesn't support locks at this address. Allow cookies and site data, and use https or localhost: ${messageOf(error)}`;
    tell({ kind: "failed", message });
    take = ({ answer }, asked) => {
      if (asked.kind === "request") answer({ kind: "error", id: asked.id, message });
    };
    for (const { caller, request } of relay.leave()) take(caller, request);
  }

  function lead(): void {
    const unsent = relay.leave();
    if (known === null) keys.merge(ofOtherProject);
    const self: Leader = { since: Math.max(world.now(), (known?.since ?? 0) + 1), id: world.random() };
    known = self;
    const started = start(keys, startFailed);
    const handler: Handler = async (request) => (await started)(request);
    const tabs = openLeader({ world, name, self, keys, handler, lobby: lobby.post });
    leading = tabs;
    // Weak, because the service worker uses a new port for each call.
    const answering = new WeakMap<Caller, Answering>();
    take = (caller, message) => {
      const own = answering.get(caller) ?? answerCalls(handler, caller.answer);
      answering.set(caller, own);
      own.take(message);
    };
    for (const { caller, request } of unsent) take(caller, request);
    started.then(answers, startFailed);

    function answers(): void {
      tabs.ready();
      tell({ kind: "ready" });
    }

    /** Another tab may succeed. This one reports the error until it is reloaded. */
    function startFailed(error: unknown): void {
      world.report(error);
      tell({ kind: "failed", message: messageOf(error) });
      tabs.close();
      lobby.close();
      lock.release();
    }
  }

  /** Another worker has the engine now. Ends everything that this worker began. */
  function replaced(): void {
    if (!leading) return;
    lobby.post({ kind: "keys", keys: keys.snapshot() });
    tell({ kind: "replaced" });
    end();
  }

  return {
    connect(answer) {
      const caller: Caller = { answer };
      return (message) => take(caller, message);
    },
    handOver: () => keysToCarry(keys, name),
    takeOver(handed) {
      for (const from of ownOrOther(handed, name)) {
        if (from.name === name) keys.merge(from.keys);
        else if (leading) keys.merge(asOldest(from.keys));
        else ofOtherProject = asOldest(from.keys);
      }
    },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
