import type { TabsWorld } from "../../../src/engine/tabs/world.ts";

/**
 * What the workers of one origin share, with its own clock and order. Every worker has one queue of tasks for each
 * channel, one for its locks and one for its timers. Tasks stay in order within a queue, and `choose` picks the next queue, because
 * browsers don't promise an order either. A worker can end, freeze or thaw between any two tasks.
 */
export interface Origin {
  readonly now: () => number;
  worker(): FakeWorker;
  /** Runs tasks until there are none. */
  settle(): Promise<void>;
  /** Runs one task; false if there is none. */
  step(): Promise<boolean>;
  /** Advances the clock, one timer after the other. */
  advance(ms: number): Promise<void>;
  /** Everything ever posted on a channel. */
  readonly posted: { readonly channel: string; readonly message: unknown }[];
  readonly reported: unknown[];
  /** Whether a message is lost on its way. By default none is. */
  loses: (message: unknown) => boolean;
  /** Set by a test: locks are refused with this error, or don't exist, as at an insecure address. */
  refusal: Error | "none" | null;
}

export interface FakeWorker {
  readonly world: TabsWorld;
  readonly ended: boolean;
  frozen: boolean;
  /** Whether it was ever frozen. */
  readonly wasFrozen: boolean;
  /** Simulates a message from its page: `task` handles it. */
  message(task: () => void): void;
  /** Simulates that its tab closes or crashes: its locks are released, its channels silent, its tasks gone. */
  end(): void;
}

interface Request {
  readonly owner: symbol;
  readonly name: string;
  readonly mode: LockMode;
  readonly grant: () => void;
  readonly fail: (error: unknown) => void;
}

/** `choose(n)`: a number from 0 up to, but not including, `n`. */
export function fakeOrigin(choose: (n: number) => number): Origin {
  let clock = 1_000;
  let names = 0;
  const queues = new Map<string, { readonly owner: symbol; readonly tasks: (() => void)[] }>();
  const workers = new Map<symbol, { frozen: boolean }>();
  const channels = new Set<{
    readonly owner: symbol;
    readonly key: string;
    readonly name: string;
    readonly listener: (message: unknown) => void;
  }>();
  const held = new Set<Request>();
  const waiting: Request[] = [];
  const timers = new Set<{ readonly owner: symbol; readonly key: string; readonly at: number; readonly callback: () => void }>();
  const posted: Origin["posted"] = [];
  const reported: unknown[] = [];

  function enqueue(owner: symbol, key: string, task: () => void): void {
    if (!workers.has(owner)) return;
    const queue = queues.get(key) ?? { owner, tasks: [] };
    queue.tasks.push(task);
    queues.set(key, queue);
  }

  function grantNext(name: string): void {
    for (;;) {
      const at = waiting.findIndex((request) => request.name === name);
      const next = waiting[at];
      const holders = [...held].filter((request) => request.name === name);
      if (!next || (holders.length > 0 && [next, ...holders].some(({ mode }) => mode === "exclusive"))) return;
      waiting.splice(at, 1);
      held.add(next);
      next.grant();
    }
  }

  function letGo(request: Request): void {
    if (held.delete(request)) grantNext(request.name);
  }

  /** Work that needs no task: a body's chunks move from stream to stream. */
  async function promises(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  async function step(): Promise<boolean> {
    const ready = [...queues].filter(([, { owner }]) => workers.get(owner)?.frozen === false);
    const [key, queue] = ready[choose(ready.length)] ?? [];
    if (key === undefined || !queue) return false;
    queue.tasks.shift()?.();
    if (queue.tasks.length === 0) queues.delete(key);
    await promises();
    return true;
  }

  async function settle(): Promise<void> {
    do {
      await promises();
    } while (await step());
  }

  function worker(): FakeWorker {
    const owner = Symbol("worker");
    const state = { frozen: false, wasFrozen: false };
    workers.set(owner, state);
    names += 1;
    const own = names;

    const request = (name: string, options: LockOptions, callback: (lock: Lock | null) => unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (origin.refusal instanceof Error) return reject(origin.refusal);
        const asked: Request = {
          owner,
          name,
          mode: options.mode ?? "exclusive",
          grant: () =>
            enqueue(owner, `${own} locks`, () => {
              void Promise.resolve(callback({ name, mode: asked.mode }))
                .finally(() => letGo(asked))
                .then(resolve, reject);
            }),
          fail: (error) => enqueue(owner, `${own} locks`, () => reject(error)),
        };
        if (options.steal) {
          for (const holder of held) {
            if (holder.name !== name) continue;
            holder.fail(new DOMException("The lock was stolen.", "AbortError"));
            held.delete(holder);
          }
          waiting.unshift(asked);
        } else waiting.push(asked);
        options.signal?.addEventListener("abort", () => {
          const at = waiting.indexOf(asked);
          if (at < 0) return;
          waiting.splice(at, 1);
          asked.fail(options.signal?.reason);
        });
        grantNext(name);
      });

    const world: TabsWorld = {
      get locks() {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the only overload in use.
        return (origin.refusal === "none" ? undefined : { request }) as unknown as TabsWorld["locks"];
      },
      channel(name, listener) {
        names += 1;
        const key = `${own} channel ${names}`;
        const channel = { owner, key, name, listener };
        channels.add(channel);
        return {
          post(message) {
            if (!channels.has(channel)) throw new DOMException("The channel is closed.", "InvalidStateError");
            const copy: unknown = structuredClone(message);
            posted.push({ channel: name, message: copy });
            if (origin.loses(copy)) return;
            for (const other of channels) {
              if (other === channel || other.name !== name) continue;
              enqueue(other.owner, other.key, () => {
                if (channels.has(other)) other.listener(structuredClone(copy));
              });
            }
          },
          close: () => void channels.delete(channel),
        };
      },
      random: () => `random-${(names += 1)}`,
      now: () => clock,
      after(ms, callback) {
        const timer = { owner, key: `${own} timers`, at: clock + ms, callback };
        timers.add(timer);
        return () => timers.delete(timer);
      },
      report: (error) => reported.push(error),
    };

    return {
      world,
      get ended() {
        return !workers.has(owner);
      },
      get wasFrozen() {
        return state.wasFrozen;
      },
      get frozen() {
        return state.frozen;
      },
      set frozen(frozen) {
        state.frozen = frozen;
        state.wasFrozen ||= frozen;
      },
      message: (task) => enqueue(owner, `${own} page`, task),
      end() {
        workers.delete(owner);
        for (const [key, queue] of queues) if (queue.owner === owner) queues.delete(key);
        for (const channel of channels) if (channel.owner === owner) channels.delete(channel);
        for (const timer of timers) if (timer.owner === owner) timers.delete(timer);
        for (const asked of waiting.filter((each) => each.owner === owner)) waiting.splice(waiting.indexOf(asked), 1);
        for (const holder of held) if (holder.owner === owner) letGo(holder);
      },
    };
  }

  const origin: Origin = {
    now: () => clock,
    worker,
    step,
    settle,
    async advance(ms) {
      const end = clock + ms;
      for (;;) {
        await settle();
        const due = [...timers].filter(({ at }) => at <= end);
        if (due.length === 0) break;
        const next = Math.min(...due.map(({ at }) => at));
        clock = Math.max(clock, next);
        // Timers due at the same moment fire together, with nothing between them.
        for (const timer of due.filter(({ at }) => at === next)) {
          timers.delete(timer);
          enqueue(timer.owner, timer.key, timer.callback);
        }
      }
      clock = end;
      await settle();
    },
    posted,
    reported,
    loses: () => false,
    refusal: null,
  };
  return origin;
}
