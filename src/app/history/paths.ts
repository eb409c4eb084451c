import { shownName } from "../docs/names.ts";
import type { FileRef } from "../model/route.ts";

/** The folder of docs in the history. Everything else is the deed. */
const docs = "vibey/";

/** A file's path in the history. */
export const historyPath = (ref: FileRef) => (ref.kind === "doc" ? docs + ref.name : ref.path);

/** The file at a path of the history. */
export const fileAt = (path: string): FileRef =>
  path.startsWith(docs) ? { kind: "doc", name: path.slice(docs.length) } : { kind: "deed", path };

/** The file's name on the screen: "rules" for a doc, else its path. */
export function fileTitle(path: string): string {
  const ref = fileAt(path);
  return ref.kind === "doc" ? shownName(ref.name) : ref.path;
}
