import { createSignal } from "solid-js";

/** A text that is not saved yet, and the version of the file it was made from (null: the file was not there). */
export interface Draft {
  readonly text: string;
  readonly etag: string | null;
  /** The text that it was made from, as long as nothing but a glance says what that version reads. */
  readonly from?: string;
  /** For a message that is on its way: how many messages the dialog had. Anyone who finds it later looks among those after it. */
  readonly sentAfter?: number;
}

/** What of `Storage` is used here, so that tests can give a map. */
export interface TextStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** What the drafts of the first project are kept under; another one's id stands in it. */
const prefixOf = (project: string) => (project === "" ? "vibey draft " : `vibey draft@${project} `);

/** The id that an entry of the store begins with. An entry of an older version has none; its first letters do as well. */
export const idOf = (json: string) => json.slice(7, 22);

/** What `other-tab.ts` needs of the drafts. */
export interface DraftParts {
  readonly store: TextStore;
  readonly prefix: string;
  /** Each id of an entry that this page has written begins with it. */
  readonly tab: string;
  readonly drafts: Map<string, Draft>;
  /** Ids of the entries that this page wrote or read last. */
  readonly known: Map<string, string>;
  /** Pairs of keys whose entries have changed places, in both directions. */
  readonly places: Map<string, string>;
  readonly waiting: Set<string>;
  readonly flush: () => void;
  readonly touch: (key: string) => void;
  readonly swap: (key: string) => void;
  /** Says that something came from another tab. */
  readonly tell: (key: string) => void;
}

/**
 * Unsaved texts, by file. A draft is kept in memory at once and in the store a moment later, so a crash costs at most what
 * was typed in that moment. A store that is full loses nothing of what is in memory; `full` says that it happened.
 * `makeRoom` removes from it what can be had again, before a draft is left out.
 * Tabs share the store. A text that another tab made from this tab's text is taken over, so that all show the same. Where two tabs typed
 * at once, neither overwrites the other: the second text has an entry of its own, whose key is the first one's, a line break and a mark.
 */
export function createDrafts(store: TextStore, later: (write: () => void) => void, project = "", makeRoom = () => {}) {
  const prefix = prefixOf(project);
  const tab = crypto.randomUUID().slice(0, 8);
  let count = 1e6;
  const drafts = new Map<string, Draft>();
  const known = new Map<string, string>();
  const places = new Map<string, string>();
  const waiting = new Set<string>();
  /** What did not fit into the store when it was last written. */
  const unstored = new Set<string>();
  for (let index = 0; index < store.length; index++) {
    const name = store.key(index);
    const json = name?.startsWith(prefix) ? store.getItem(name) : null;
    const draft = parseDraft(json);
    if (name === null || json === null || draft === null) continue;
    drafts.set(name.slice(prefix.length), draft);
    known.set(name.slice(prefix.length), idOf(json));
  }
  const [keys, setKeys] = createSignal<ReadonlySet<string>>(new Set(drafts.keys()));
  const [full, setFull] = createSignal(false);
  /** What another tab did last. */
  const [elsewhere, setElsewhere] = createSignal<{ readonly key: string } | null>(null);

  function flush() {
    for (const key of waiting) {
      const draft = drafts.get(key);
      const there = store.getItem(nameOf(key));
      unstored.delete(key);
      // Another tab has written there, and this page has not heard of it.
      if (there !== null && idOf(there) !== known.get(key) && !idOf(there).startsWith(tab)) {
        void stored(nameOf(key), there);
        swap(key);
      } else if (draft === undefined && there !== null) {
        // For the other tabs: this text is done with, and no other.
        store.setItem(nameOf(key), idOf(there));
        store.removeItem(nameOf(key));
      }
      // The store may be full. The text is still in memory then, and the page says so.
      if (draft === undefined || fits(key, draft)) continue;
      makeRoom();
      if (fits(key, draft)) continue;
      // What it was made from can be left out: then both versions are shown.
      if (draft.from === undefined || !fits(key, { text: draft.text, etag: null })) unstored.add(key);
    }
    waiting.clear();
    setFull(unstored.size > 0);
  }

  function fits(key: string, draft: Draft): boolean {
    const id = `${tab}${count++}`;
    try {
      store.setItem(nameOf(key), JSON.stringify({ id, on: known.get(key), ...draft }));
      known.set(key, id);
      return true;
    } catch (error) {
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  const nameOf = (key: string) => prefix + (places.get(key) ?? key);
  /** From now on the text of this key is stored beside another tab's, which has its place. */
  function swap(key: string) {
    const beside = `${key}\n${tab}`;
    places.set(key, beside).set(beside, key);
  }
  function showKeys(key: string) {
    if (keys().has(key) !== drafts.has(key)) setKeys(new Set(drafts.keys()));
  }
  function touch(key: string) {
    if (waiting.size === 0) later(flush);
    waiting.add(key);
    showKeys(key);
  }
  function tell(key: string) {
    showKeys(key);
    setElsewhere({ key });
  }
  function drop(key: string) {
    if (drafts.delete(key)) touch(key);
  }
  const parts: DraftParts = { store, prefix, tab, drafts, known, places, waiting, flush, touch, swap, tell };

  /** Another tab has written this to the store. */
  async function stored(name: string | null, json: string | null) {
    if (name?.startsWith(prefix)) (await import("./other-tab.ts")).hear(parts, name, json);
  }

  return {
    /** The files that have unsaved text. */
    keys,
    full,
    flush,
    /** Writes every draft again: the store may have been emptied behind the page's back. */
    keepAll() {
      for (const key of drafts.keys()) waiting.add(key);
      flush();
    },
    elsewhere,
    parts,
    stored,
    get: (key: string): Draft | null => drafts.get(key) ?? null,
    keep(key: string, draft: Draft) {
      drafts.set(key, draft);
      touch(key);
    },
    drop,
    /** Its file is deleted: this page forgets the text, and a tab in which it was typed keeps it. */
    leave(key: string) {
      if (waiting.has(key) || known.get(key)?.startsWith(tab) !== false) return drop(key);
      drafts.delete(key);
      known.delete(key);
      store.removeItem(nameOf(key));
      showKeys(key);
    },
  };
}
export type Drafts = ReturnType<typeof createDrafts>;

/** What is stored, as a draft; null where it is none. */
export function parseDraft(json: string | null): Draft | null {
  if (json === null) return null;
  try {
    const value: Partial<Draft> | null = JSON.parse(json);
    if (typeof value?.text !== "string") return null;
    return {
      text: value.text,
      etag: typeof value.etag === "string" ? value.etag : null,
      ...(typeof value.from === "string" && { from: value.from }),
      ...(typeof value.sentAfter === "number" && { sentAfter: value.sentAfter }),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
