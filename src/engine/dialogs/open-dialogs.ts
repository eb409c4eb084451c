import type { Live } from "./live.ts";

/**
 * The dialogs that an engine has open, by id. There is never more than one `Live` for an id: one that no one uses may be given up, but as
 * long as anyone holds it, it is the one that is found.
 */
export interface OpenDialogs {
  get(id: string): Live | Promise<Live | null> | undefined;
  /** A dialog that is being opened; anyone who asks for it meanwhile waits for the same. */
  opening(id: string, opening: Promise<Live | null>): void;
  /** Takes the place of whatever stood for this id. */
  add(live: Live): void;
  delete(id: string): void;
}

/** Keeps those in which something continues or that someone follows, and of the others the `keep` that were last asked for. */
export function openDialogs(keep: number): OpenDialogs {
  const entries = new Map<string, Promise<Live | null> | WeakRef<Live>>();
  /** Held, the one last asked for at the end. */
  const held = new Map<string, Live>();

  const add = (live: Live): void => {
    entries.set(live.id, new WeakRef(live));
    touch(live);
  };

  const touch = (live: Live): void => {
    held.delete(live.id);
    held.set(live.id, live);
    if (held.size <= keep) return;
    for (const [id, candidate] of held) {
      if (isIdle(candidate) && candidate !== live) held.delete(id);
      if (held.size <= keep) return;
    }
  };

  return {
    add,
    get(id) {
      const entry = entries.get(id);
      if (!(entry instanceof WeakRef)) return entry;
      const live = entry.deref();
      if (live) touch(live);
      else entries.delete(id);
      return live;
    },
    opening(id, opening) {
      entries.set(id, opening);
      const settle = (live: Live | null): void => {
        // Someone else may have taken its place meanwhile.
        if (entries.get(id) !== opening) return;
        if (live) add(live);
        else entries.delete(id);
      };
      opening.then(settle, () => settle(null));
    },
    delete(id) {
      entries.delete(id);
      held.delete(id);
    },
  };
}

/** Everything there is to know of it stands in its file. */
function isIdle({ state, work, activity, buffered, watchers, frames }: Live): boolean {
  return (
    state.turn === null &&
    state.status !== "active" &&
    work === null &&
    activity === null &&
    buffered.length === 0 &&
    watchers.size === 0 &&
    frames.size === 0
  );
}
