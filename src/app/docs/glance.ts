import { createSignal } from "solid-js";
import { parseDraft, type TextStore } from "./drafts.ts";

/** A file's text as the engine had it stored when it was last on the screen. It may have changed since. */
export interface Glance {
  readonly text: string;
  /** Of that version. */
  readonly etag: string;
}

const glanceMark = "vibey glance ";

/** The project's id stands in it: a glance goes with its project. */
export const glanceKey = (project: string, file: string) => `${glanceMark}${project} ${file}`;

/** Null: there is none, or what is there is none of ours. */
export function readGlance(store: Pick<TextStore, "getItem">, project: string, file: string): Glance | null {
  const kept = parseDraft(store.getItem(glanceKey(project, file)));
  return kept === null || kept.etag === null ? null : { text: kept.text, etag: kept.etag };
}

/** Removes all of them, or those whose key `goes`. */
export function dropGlances(store: TextStore, goes = (_key: string) => true): void {
  const all = Array.from({ length: store.length }, (_, index) => store.key(index) ?? "");
  for (const key of all) if (key.startsWith(glanceMark) && goes(key)) store.removeItem(key);
}

export interface StoredText extends Glance {
  /** Of the file. */
  readonly file: string;
}

/** What tells the open file's text as it is stored; null while no file is shown. Anyone who keeps glances follows it. */
export const [shownFile, setShownFile] = createSignal<(() => StoredText | null) | null>(null);
