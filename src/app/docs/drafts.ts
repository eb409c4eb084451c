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

/**
 * Unsaved texts, by file. A draft is kept in memory at once and in the store a moment later, so a crash costs at most what
 * was typed in that moment. A store that is full loses nothing of what is in memory; `full` says that it happened.
 * `makeRoom` removes from it what can be had again, before a draft is left out.
 * Tabs share the store: what one has written there the others take over, so that all of them show, and keep, the same text.
 */
export function createDrafts(store: TextStore, later: (write: () => void) => void, project = "", makeRoom = () => {}) {
  const prefix = prefixOf(project);
  const drafts = new Map<string, Draft>();
  const waiting = new Set<string>();
  /** What did not fit into the store when it was last written. */
  const unstored = new Set<string>();
  for (let index = 0; index < store.length; index++) {
    const key = store.key(index);
    if (!key?.startsWith(prefix)) continue;
    const draft = parseDraft(store.getItem(key));
    if (draft !== null) drafts.set(key.slice(prefix.length), draft);
  }
  const [keys, setKeys] = createSignal<ReadonlySet<string>>(new Set(drafts.keys()));
  const [full, setFull] = createSignal(false);
  /** What another tab did last. */
  const [elsewhere, setElsewhere] = createSignal<{ readonly key: string } | null>(null);

  function flush() {
    for (const key of waiting) {
      const draft = drafts.get(key);
      unstored.delete(key);
      if (draft === undefined) store.removeItem(prefix + key);
      else {
        // The store may be full. The text is still in memory then, and the page says so.
        if (fits(prefix + key, draft)) continue;
        makeRoom();
        if (fits(prefix + key, draft)) continue;
        // What it was made from can be left out: then both versions are shown.
        if (draft.from === undefined || !fits(prefix + key, { text: draft.text, etag: null })) unstored.add(key);
      }
    }
    waiting.clear();
    setFull(unstored.size > 0);
  }

  function fits(name: string, draft: Draft): boolean {
    try {
      store.setItem(name, JSON.stringify(draft));
      return true;
    } catch (error) {
      if (error instanceof DOMException) return false;
      throw error;
    }
  }

  function showKeys(key: string) {
    if (keys().has(key) !== drafts.has(key)) setKeys(new Set(drafts.keys()));
  }
  function touch(key: string) {
    if (waiting.size === 0) later(flush);
    waiting.add(key);
    showKeys(key);
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
    get: (key: string): Draft | null => drafts.get(key) ?? null,
    keep(key: string, draft: Draft) {
      drafts.set(key, draft);
      touch(key);
    },
    drop(key: string) {
      if (drafts.delete(key)) touch(key);
    },
    /** Another tab has written to the store. What is typed here and not stored yet is newer, and stays. */
    stored(name: string | null, json: string | null) {
      if (!name?.startsWith(prefix)) return;
      const key = name.slice(prefix.length);
      if (waiting.has(key)) return;
      const draft = parseDraft(json);
      if (draft === null) drafts.delete(key);
      else drafts.set(key, draft);
      showKeys(key);
      setElsewhere({ key });
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
