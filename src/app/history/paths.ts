import { shownName } from "../docs/names.ts";
import type { FileRef } from "../model/route.ts";

/** Where docs stand in the history; everything else is the deed. */
const docs = "vibey/";

/** A file's path in the history. */
export const historyPath = (ref: FileRef) => (ref.kind === "doc" ? docs + ref.name : ref.path);

/** The file that stands at a path of the history. */
export const fileAt = (path: string): FileRef =>
  path.startsWith(docs) ? { kind: "doc", name: path.slice(docs.length) } : { kind: "deed", path };

/** What the file is called on the screen: "rules" for a doc, else its path. */
export function fileTitle(path: string): string {
  const ref = fileAt(path);
  return ref.kind === "doc" ? shownName(ref.name) : ref.path;
}
