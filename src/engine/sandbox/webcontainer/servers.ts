import type { ServerView } from "../../api.ts";

type Owner = NonNullable<ServerView["owner"]>;

/** What listens in the computer. */
export interface Servers {
  opened(port: number, url: string): void;
  closed(port: number): void;
  clear(): void;
  /** A command in the background begins, and has ended when what this returns is called. */
  owns(owner: Owner): () => void;
  /** By port. */
  views(): readonly ServerView[];
}

/**
 * The computer does not say which process listens. It is taken to be the command in the background that was started last and has no server
 * yet, else the last one that still runs.
 */
export function createServers(changed: () => void): Servers {
  const all = new Map<number, ServerView>();
  const owners = new Set<Owner>();

  function ownerNow(): Owner | null {
    const running = [...owners];
    const serving = new Set([...all.values()].map(({ owner }) => owner));
    return running.findLast((owner) => !serving.has(owner)) ?? running.at(-1) ?? null;
  }

  return {
    opened(port, url) {
      all.set(port, { port, url, owner: all.get(port)?.owner ?? ownerNow() });
      changed();
    },
    closed(port) {
      if (all.delete(port)) changed();
    },
    clear() {
      if (all.size === 0) return;
      all.clear();
      changed();
    },
    owns(owner) {
      owners.add(owner);
      return () => {
        owners.delete(owner);
        // Its processes are gone with it, whether the computer says so or not.
        const own = [...all.values()].filter((server) => server.owner === owner);
        for (const { port } of own) all.delete(port);
        if (own.length > 0) changed();
      };
    },
    views: () => [...all.values()].toSorted((a, b) => a.port - b.port),
  };
}
