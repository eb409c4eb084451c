import type { ServerOwnerView as Owner, ServerView } from "../../protocol/index.ts";

/** What listens in the WebContainer. */
export interface Servers {
  opened(port: number, url: string): void;
  closed(port: number): void;
  clear(): void;
  /** A command in the background begins, and has ended when what this returns is called. */
  owns(owner: Owner): () => void;
  /** A command in the foreground begins, and has ended, with all that it started, when what this returns is called. One at a time. */
  inFront(): () => void;
  /** By port. */
  views(): readonly ServerView[];
}

/**
 * The WebContainer does not say which process listens. It is taken to be the command in the background that was started last and has no server
 * yet, else the last one that still runs. What opens while a command runs in the foreground may be that one's, so it is no one's, as far as is known;
 * if it still listens after that command, it is that of the only command in the background that it can be of, if there is one alone.
 */
export function createServers(changed: () => void): Servers {
  const all = new Map<number, ServerView>();
  const owners = new Set<Owner>();
  /** While a command runs in the foreground: by port, the commands in the background that may have opened it since. */
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
        // Its processes are gone with it, whether the WebContainer says so or not.
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
