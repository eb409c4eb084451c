import type { CopiedFile } from "../../../fs/copy/contents.ts";
import type { FoundCopy } from "../../../fs/copy/found.ts";
import type { CopyNote } from "../../../fs/copy/note.ts";
import type { FileEvent } from "../../../fs/files.ts";
import { canonical, type Path } from "../../../fs/path.ts";
import type { Revision } from "../../../fs/revision.ts";
import { nameOf } from "../../../fs/vibey-name.ts";
import type { CopyFound } from "../../../protocol/index.ts";
import { parseDialogFilename } from "../../../dialog/name.ts";
import { isStreamed } from "../../dialogs/streamed.ts";

/** The backup has everything except `node_modules/`, which `npm install` can restore and which would be most of the data. */
export function isCopied(path: Path): boolean {
  return !canonical(path).split("/").includes("node_modules");
}

/** Whether the backup may wait. Only streamed text may: it arrives ten times a second, and the model can be asked for it again. */
export function canWait(event: FileEvent): boolean {
  return isStreamed(event);
}

export function describeCopy({ generation, at, bytes, torn, files }: FoundCopy): CopyFound {
  return { generation, at, ...countOf(files), bytes, torn };
}

export function countOf(files: Iterable<Pick<CopiedFile, "path">>): Pick<CopyFound, "docs" | "dialogs" | "files"> {
  const count = { docs: 0, dialogs: 0, files: 0 };
  for (const file of files) count[kindOf(file)] += 1;
  return count;
}

/** The note for a copy that is about to hold these files. */
export function noteOf(revision: Revision, files: readonly Pick<CopiedFile, "path" | "size">[], at: number): CopyNote {
  return { revision, at, ...countOf(files), bytes: files.reduce((sum, { size }) => sum + size, 0) };
}

function kindOf({ path }: Pick<CopiedFile, "path">): "docs" | "dialogs" | "files" {
  if (!path.startsWith("vibey/")) return "files";
  return parseDialogFilename(nameOf(path) ?? "") ? "dialogs" : "docs";
}
