import type { CopiedFile } from "../../fs/copy/contents.ts";
import type { FoundCopy } from "../../fs/copy/found.ts";
import type { FileEvent } from "../../fs/files.ts";
import { canonical, type Path } from "../../fs/path.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import type { CopyFound } from "../api.ts";
import { parseDialogFilename } from "../format/name.ts";

/** Everything is in the second copy but `node_modules/`: `npm install` brings it back, and it would be most of what is written. */
export function isCopied(path: Path): boolean {
  return !canonical(path).split("/").includes("node_modules");
}

/** Streamed text comes ten times a second, and is there again when the model is asked again. What ends a turn is no such change. */
export function canWait(event: FileEvent): boolean {
  return event.kind === "changed" && event.by === "engine";
}

export function describeCopy({ generation, at, bytes, torn, files }: FoundCopy): CopyFound {
  const count = { docs: 0, dialogs: 0, files: 0 };
  for (const file of files) count[kindOf(file)] += 1;
  return { generation, at, ...count, bytes, torn };
}

function kindOf({ path }: CopiedFile): "docs" | "dialogs" | "files" {
  if (!path.startsWith("vibey/")) return "files";
  return parseDialogFilename(nameOf(path) ?? "") ? "dialogs" : "docs";
}
