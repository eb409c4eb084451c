import { createSignal } from "solid-js";

/** An unsaved text, and the version of the file that it was made from (null: the file didn't exist). */
export interface Draft {
  readonly text: string;
  readonly etag: string | null;
  /** The text that it was made from. Set only while nothing but a glance tells what that version contains. */
  readonly from?: string;
  /** For a message that is being sent: how many messages the dialog had. The message is later looked for after those. */
  readonly sentAfter?: number;
}

/** The part of `Storage` used here, so that tests can pass a map. */
export interface TextStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The prefix of the drafts' keys in the store. It contains the project's id, except for the first project. */
const prefixOf = (project: string) => (project === "" ? "vibey draft " : `vibey draft@${project} `);

/** The id at the beginning of a stored entry. Entries of an older version have no id; their first characters serve as one. */
export const idOf = (json: string) => json.slice(7, 22);

/** The internals of the drafts that `other-tab.ts` uses. */
export interface DraftParts {
  readonly store: TextStore;
  readonly prefix: string;
  /** The prefix of the ids of all entries that this page has written. */
  readonly tab: string;
  readonly drafts: Map<string, Draft>;
  /** Ids of the entries that this page last wrote or read. */
  readonly known: Map<string, string>;
  /** Pairs of keys whose entries have swapped places, in both directions. */
  readonly places: Map<string, string>;
  readonly waiting: Set<string>;
  readonly flush: () => void;
  readonly touch: (key: string) => void;
  readonly swap: (key: string) => void;
  /** Reports that something came from another tab. */
  readonly tell: (key: string) => void;
}

/**
 * Unsaved texts, by file. A draft is in memory at once and in the store a moment later, so a crash costs at most what was typed in that moment. If
 * the store is full, drafts in memory aren't lost, and `full` reports it. Before a draft is left out, `makeRoom` removes what can be recovered.
 * Tabs share the store. If another tab made a text from this tab's text, it is taken over, so that all tabs show the same. If two tabs typed at once,
 * neither overwrites the other: the second text gets its own entry, whose key is the first key, a line break and a mark.
 */
export function createDrafts(store: TextStore, later: (write: () => void) => void, project = "", makeRoom = () => {}) {
  const prefix = prefixOf(project);
  const tab = crypto.randomUUID().slice(0, 8);
  let count = 1e6;
  const drafts = new Map<string, Draft>();
  const known = new Map<string, string>();
  const places = new Map<string, string>();
  const waiting = new Set<string>();
  /** The drafts that did not fit into the store at the last write. */
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
  /** The last change from another tab. */
  const [elsewhere, setElsewhere] = createSignal<{ readonly key: string } | null>(null);

  function flush() {
    // There may be room by now.
    for (const key of unstored) waiting.add(key);
    for (const key of waiting) {
      const draft = drafts.get(key);
      const there = store.getItem(nameOf(key));
      unstored.delete(key);
      // Another tab has written there, and this page has not received the event yet.
      if (there !== null && idOf(there) !== known.get(key) && !idOf(there).startsWith(tab)) {
        void stored(nameOf(key), there);
        swap(key);
      } else if (draft === undefined && there !== null) {
        // Tells the other tabs that exactly this text is no longer needed.
        store.setItem(nameOf(key), idOf(there));
        store.removeItem(nameOf(key));
      }
      // The store may be full. The text is then still in memory, and the page says so.
      if (draft === undefined || fits(key, draft)) continue;
      makeRoom();
      if (fits(key, draft)) continue;
      // The base text can be left out. Then both versions are shown.
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
  /** From now on the text of this key is stored beside that of another tab, which takes its place. */
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

  /** Handles what another tab has written to the store. */
  async function stored(name: string | null, json: string | null) {
    if (name?.startsWith(prefix)) (await import("./other-tab.ts")).hear(parts, name, json);
  }

  return {
    /** The keys that have unsaved text. */
    keys,
    full,
    flush,
    /** Writes every draft again, because the store may have been emptied behind the page's back. */
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
    /** The file is deleted. This page drops the text; a tab in which it was typed keeps it. */
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

/** Parses a stored draft; null if it isn't one. */
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
