import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Files, FileStat } from "../../../fs/files.ts";
import { canonical, type Path } from "../../../fs/path.ts";
import { nameOf } from "../../../fs/vibey-name.ts";
import { withoutImported } from "../../../dialog/imported-messages.ts";
import { equalBytes } from "../../../shell/equal-bytes.ts";
import { parseDialogFilename } from "../../../dialog/name.ts";
import type { Arrival } from "./arrival.ts";

/** How a file of an import compares to the project's files. */
export type FileComparison =
  | { readonly kind: "new" }
  /** The project has the same file, byte for byte. */
  | { readonly kind: "same" }
  /**
   * The project has another file with this name, or with a name that differs only in case, or a version of the dialog that has continued
   * differently.
   */
  | { readonly kind: "conflict"; readonly mine: FileStat }
  /** It belongs to a repository that both have. Two repositories can't be mixed file by file. */
  | { readonly kind: "repository" };

export interface Comparison {
  /** `by file`: a repository's files are compared like all others. */
  compare(arrival: Arrival, options?: { readonly repositories: "whole" | "by file" }): Promise<FileComparison>;
  /** Whether the project had a file that is the same as this path when the comparison was created. */
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

/** Whether the project's dialog is the same one from an earlier import. */
function isImported(mine: Uint8Array, arrival: Uint8Array): boolean {
  const [own, other] = [mine, arrival].map((bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  return own !== other && own !== undefined && withoutImported(own) === other;
}

export function dialogIdOf(path: Path): string | null {
  return parseDialogFilename(nameOf(path) ?? "")?.dialogId ?? null;
}

/** The repository folder that the file belongs to, in the form for comparing paths. Null if it belongs to none. */
function repositoryOf(path: Path): string | null {
  return /^(?:.*\/)?\.git(?=\/)/.exec(canonical(path))?.[0] ?? null;
}

/** A hash of what the user was shown. It changes if any conflicting file has changed since. */
export function seenOf(conflicts: readonly FileStat[]): string {
  const lines = conflicts.map(({ path, version }) => `${version} ${path}`).toSorted();
  return bytesToHex(sha256(utf8ToBytes(lines.join("\0")))).slice(0, 32);
}
