import { visible } from "../calls/visible.ts";
import { copyOf } from "../docs/file-actions.ts";
import { writeDeed } from "../model/api/calls.ts";
import type { FileRef } from "../model/route.ts";
import type { Chosen } from "../agents/import-files.ts";
import * as t from "../texts/explorer.ts";
import { placeOfDropped } from "./explorer.ts";

/** Front matter is searched in this many UTF-16 units at the beginning. */
const start = 65_536;

export interface Taken {
  /** The paths of the saved files. */
  readonly saved: readonly string[];
  /** Why the others were not saved; null: all were saved. */
  readonly problem: string | null;
}

/** Saves dropped or chosen files where they belong. Existing files are never overwritten. */
export async function takeFiles(chosen: readonly Chosen[], isTaken: (ref: FileRef) => boolean): Promise<Taken> {
  const saved: string[] = [];
  for (const { path, file } of chosen) {
    // A dropped item may no longer exist, or be a folder.
    const text = await file
      .slice(0, start)
      .text()
      .catch((error: unknown) => (error instanceof DOMException ? null : Promise.reject(error)));
    if (text === null) return { saved, problem: t.notRead(visible(path)) };
    const place = placeOfDropped(path, text);
    if (place === null) continue;
    const wanted: FileRef = { kind: "deed", path: place };
    const isThere = (ref: FileRef): boolean => isTaken(ref) || (ref.kind === "deed" && saved.includes(ref.path));
    const ref = isThere(wanted) ? copyOf(wanted, isThere) : wanted;
    if (ref.kind !== "deed") continue;
    const written = await writeDeed(ref.path, file);
    if (!written.ok) return { saved, problem: t.notWritten(ref.path, written.message) };
    saved.push(ref.path);
  }
  return { saved, problem: null };
}
