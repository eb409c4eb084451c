import type { ZipContents, ZipTaken } from "../../engine/api.ts";
import { counted, fileSize } from "../shell/words.ts";

/** "2 docs, 1 dialog and 14 files of the deed, 1.2 MB". */
export function insideWords({ files }: Pick<ZipContents, "files">): string {
  const of = (kind: ZipContents["files"][number]["kind"]) => files.filter((file) => file.kind === kind).length;
  const deed = of("deed");
  const parts = [
    ...(of("doc") > 0 ? [counted(of("doc"), "doc")] : []),
    ...(of("dialog") > 0 ? [counted(of("dialog"), "dialog")] : []),
    ...(deed > 0 ? [`${counted(deed, "file")} of the deed`] : []),
  ];
  if (parts.length === 0) return "Nothing: the zip is empty.";
  const last = parts.pop() ?? "";
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return `${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last}, ${fileSize(size)}.`;
}

export function historyWords(history: ZipContents["history"]): string {
  if (history.kind === "none") return "No history is in it.";
  if (history.kind === "whole") return `Its history is in it: ${counted(history.commits, "commit")}.`;
  return `Its history stays out: it ${history.why}.`;
}

/** What was done, in sentences. */
export function takenWords({ added, replaced, renamed, kept, same }: ZipTaken): string {
  const parts = [
    `${counted(added, "file")} came in.`,
    ...(replaced > 0 ? [`${counted(replaced, "file")} took the place of yours; the history has them as they were.`] : []),
    ...(renamed > 0 ? [`${counted(renamed, "file")} came in under another name.`] : []),
    ...(kept > 0 ? [`${counted(kept, "file")} stayed out: yours is kept.`] : []),
    ...(same > 0 ? [`${counted(same, "file")} you had already.`] : []),
  ];
  return parts.join(" ");
}

/** The name of a project that is made of this file. */
export function projectNameOf(filename: string): string {
  return (
    filename
      .replace(/\.zip$/i, "")
      .trim()
      .slice(0, 60) || "From a zip"
  );
}
