import type { ServerOwnerView as Owner, ServerView } from "../../protocol/index.ts";

/** The servers that listen in the WebContainer. */
export interface Servers {
  opened(port: number, url: string): void;
  closed(port: number): void;
  clear(): void;
  /** A background command begins. It has ended when the returned function is called. */
  owns(owner: Owner): () => void;
  /** A foreground command begins. It has ended, with everything it started, when the returned function is called. One at a time. */
  inFront(): () => void;
  /** Sorted by port. */
  views(): readonly ServerView[];
}

/**
 * The WebContainer does not say which process listens. The owner is assumed to be the background command that was started last and has no server yet,
 * else the last one that still runs. A port that opens while a foreground command runs may belong to that command, so it has no owner. If it still
 * listens after that command, it gets an owner only if exactly one background command can have opened it.
 */
export function createServers(changed: () => void): Servers {
  const all = new Map<number, ServerView>();
  const owners = new Set<Owner>();
  /** While a foreground command runs: for each port, the background commands that may have opened it since. */
  let unclear: Map<number, readonly Owner[]> | null = null;

  function ownerNow(): Owner | null {
    const running = [...owners];
    const serving = new Set([...all.values()].map(({ owner }) => owner));
    return running.findLast((owner) => !serving.has(owner)) ?? running.at(-1) ?? null;
  }

  return {
    opened(port, url) {
      const known = all.get(port);
      if (known === undefined) unclear?.set(port, [...owners]);
      all.set(port, { port, url, owner: known?.owner ?? (unclear === null ? ownerNow() : null), since: null });
      changed();
    },
    closed(port) {
      unclear?.delete(port);
      if (all.delete(port)) changed();
    },
    clear() {
      unclear?.clear();
      if (all.size === 0) return;
      all.clear();
      changed();
    },
    owns(owner) {
      owners.add(owner);
      return () => {
        owners.delete(owner);
        // Its processes have gone with it, even if the WebContainer does not say so.
        const own = [...all.values()].filter((server) => server.owner === owner);
        for (const { port } of own) all.delete(port);
        if (own.length > 0) changed();
      };
    },
    inFront() {
      const opened = (unclear = new Map<number, readonly Owner[]>());
      return () => {
        unclear = null;
        let isClear = false;
        for (const [port, candidates] of opened) {
          const server = all.get(port);
          const [owner, another] = candidates.filter((each) => owners.has(each));
          if (server === undefined || owner === undefined || another !== undefined) continue;
          all.set(port, { ...server, owner });
          isClear = true;
        }
        if (isClear) changed();
      };
    },
    views: () => [...all.values()].toSorted((a, b) => a.port - b.port),
  };
}
