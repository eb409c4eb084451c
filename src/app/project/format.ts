import type { ZipContents, ZipTaken } from "../../protocol/index.ts";
import { fileSize } from "../ui/format.ts";
import * as t from "../texts/zip.ts";

/** How many files of each kind are in the zip, and their total size. */
export function insideWords({ files }: Pick<ZipContents, "files">): string {
  if (files.length === 0) return t.empty;
  const of = (kind: ZipContents["files"][number]["kind"]) => files.filter((file) => file.kind === kind).length;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return t.inside(of("doc"), of("dialog"), of("deed"), fileSize(size));
}

export function historyWords(history: ZipContents["history"]): string {
  if (history.kind === "none") return t.historyNone;
  return history.kind === "whole" ? t.historyWhole(history.commits) : t.historyOut(history.why);
}

/** The outcome of the import, in sentences. */
export function takenWords({ added, replaced, renamed, kept, same }: ZipTaken): string {
  const parts = [
    t.cameIn(added),
    ...(replaced > 0 ? [t.tookPlace(replaced)] : []),
    ...(renamed > 0 ? [t.underAnotherName(renamed)] : []),
    ...(kept > 0 ? [t.keptYours(kept)] : []),
    ...(same > 0 ? [t.hadAlready(same)] : []),
  ];
  return parts.join(" ");
}

/** The name of a project created from this file. */
export function projectNameOf(filename: string): string {
  return (
    filename
      .replace(/\.zip$/i, "")
      .trim()
      .slice(0, 60) || t.namelessProject
  );
}
