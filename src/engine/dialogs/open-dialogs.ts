import type { Live } from "./live.ts";

/**
 * The dialogs that an engine has open, by id. There is never more than one `Live` for an id: an unused one may be dropped, but as long as anyone
 * holds it, `get` returns it.
 */
export interface OpenDialogs {
  get(id: string): Live | Promise<Live | null> | undefined;
  /** A dialog is being opened. Other callers that ask for it wait for the same promise. */
  opening(id: string, opening: Promise<Live | null>): void;
  /** Replaces the entry for this id. */
  add(live: Live): void;
  delete(id: string): void;
}

/** Keeps dialogs that are active or that someone follows. Of the others, keeps the `keep` most recently used ones. */
export function openDialogs(keep: number): OpenDialogs {
  const entries = new Map<string, Promise<Live | null> | WeakRef<Live>>();
  /** The dialogs that are kept, most recently used last. */
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
        // Another entry may have replaced it in the meantime.
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

/** Whether its file has everything there is to know about it. */
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
