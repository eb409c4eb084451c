import { createSignal } from "solid-js";
import { parseDraft, type TextStore } from "./drafts.ts";

/** The stored text of a file when it was last on the screen. It may have changed since. */
export interface Glance {
  readonly text: string;
  /** The version of the text. */
  readonly etag: string;
}

const glanceMark = "vibey glance ";

/** Contains the project's id, so that a project's glances are removed with it. */
export const glanceKey = (project: string, file: string) => `${glanceMark}${project} ${file}`;

/** Null: there is no glance, or the entry isn't a valid one. */
export function readGlance(store: Pick<TextStore, "getItem">, project: string, file: string): Glance | null {
  const kept = parseDraft(store.getItem(glanceKey(project, file)));
  return kept === null || kept.etag === null ? null : { text: kept.text, etag: kept.etag };
}

/** Removes all glances, or those whose key `goes` accepts. */
export function dropGlances(store: TextStore, goes = (_key: string) => true): void {
  const all = Array.from({ length: store.length }, (_, index) => store.key(index) ?? "");
  for (const key of all) if (key.startsWith(glanceMark) && goes(key)) store.removeItem(key);
}

export interface StoredText extends Glance {
  /** The key of the file. */
  readonly file: string;
}

/** Returns the stored text of the open file; null while no file is shown. The code that keeps glances follows it. */
export const [shownFile, setShownFile] = createSignal<(() => StoredText | null) | null>(null);
