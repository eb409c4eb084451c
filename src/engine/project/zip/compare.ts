import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Files, FileStat } from "../../../fs/files.ts";
import { canonical, type Path } from "../../../fs/path.ts";
import { nameOf } from "../../../fs/vibey-name.ts";
import { withoutImported } from "../../../dialog/imported-messages.ts";
import { equalBytes } from "../../../shell/equal-bytes.ts";
import { parseDialogFilename } from "../../../dialog/name.ts";
import type { Arrival } from "./arrival.ts";

/** How a file that comes in stands to what the project has. */
export type FileComparison =
  | { readonly kind: "new" }
  /** The project has it, byte for byte. */
  | { readonly kind: "same" }
  /** The project has another file of this name, or of one that differs only in case; or the dialog, continuing in another way. */
  | { readonly kind: "conflict"; readonly mine: FileStat }
  /** It belongs to a repository that both have. Two repositories can't be mixed file by file. */
  | { readonly kind: "repository" };

export interface Comparison {
  /** `by file`: a repository's files are compared like all others. */
  compare(arrival: Arrival, options?: { readonly repositories: "whole" | "by file" }): Promise<FileComparison>;
  /** Whether the project, as it was when this was made, has a file that this path would be taken for. */
  has(path: Path): boolean;
  readonly dialogIds: ReadonlySet<string>;
}

export async function compareWith(files: Pick<Files, "list" | "read">): Promise<Comparison> {
  const mine = new Map<string, FileStat>();
  const exact = new Map<Path, FileStat>();
  const dialogs = new Map<string, FileStat>();
  const repositories = new Set<string>();
  for (const stat of await files.list()) {
    mine.set(canonical(stat.path), stat);
    exact.set(stat.path, stat);
    const dialog = dialogIdOf(stat.path);
    if (dialog !== null) dialogs.set(dialog, stat);
    const repository = repositoryOf(stat.path);
    if (repository !== null) repositories.add(repository);
  }
  return {
    has: (path) => mine.has(canonical(path)),
    dialogIds: new Set(dialogs.keys()),
    async compare({ path, bytes }, { repositories: how } = { repositories: "whole" }) {
      const dialog = dialogIdOf(path);
      const there = (dialog === null ? undefined : dialogs.get(dialog)) ?? exact.get(path) ?? mine.get(canonical(path));
      if (there?.path === path && (dialog !== null || there.size === bytes.length)) {
        const content = await files.read(path);
        if (content && (equalBytes(content.bytes, bytes) || (dialog !== null && isImported(content.bytes, bytes)))) return { kind: "same" };
      }
      if (how === "whole" && repositories.has(repositoryOf(path) ?? "-")) return { kind: "repository" };
      return there ? { kind: "conflict", mine: there } : { kind: "new" };
    },
  };
}

/** The project's dialog came with an import before. */
function isImported(mine: Uint8Array, arrival: Uint8Array): boolean {
  const [own, other] = [mine, arrival].map((bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  return own !== other && own !== undefined && withoutImported(own) === other;
}

export function dialogIdOf(path: Path): string | null {
  return parseDialogFilename(nameOf(path) ?? "")?.dialogId ?? null;
}

/** The folder of a repository that the file belongs to, in the form in which paths are compared; null when it belongs to none. */
function repositoryOf(path: Path): string | null {
  return /^(?:.*\/)?\.git(?=\/)/.exec(canonical(path))?.[0] ?? null;
}

/** What the user was shown, in a word: another one when any file that would be in the way has changed since. */
export function seenOf(conflicts: readonly FileStat[]): string {
  const lines = conflicts.map(({ path, version }) => `${version} ${path}`).toSorted();
  return bytesToHex(sha256(utf8ToBytes(lines.join("\0")))).slice(0, 32);
}
