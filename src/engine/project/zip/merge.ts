import type { Change, CommitOptions, FileStat } from "../../../fs/files.ts";
import { canonical, type Path, parsePath } from "../../../fs/path.ts";
import { nameOf, vibeyPath } from "../../../fs/vibey-name.ts";
import { guardDoc } from "../../../dialog/doc-authority.ts";
import { dialogFilename, type DialogName, freeDialogId, parseDialogFilename } from "../../../dialog/name.ts";
import { isTracked } from "../history/tracked.ts";
import { isMainDoc } from "../../../protocol/write-rules.ts";
import { type Arrival, arrive, storedBytes } from "./arrival.ts";
import { type Comparison, dialogIdOf, seenOf } from "./compare.ts";

/** What to do with two files of the same name. */
export type Choice = "mine" | "theirs" | "both";

export interface MergePlan {
  readonly changes: readonly Change[];
  readonly expect: NonNullable<CommitOptions["expect"]>;
  readonly added: number;
  /** The project's files that have changed. */
  readonly replaced: readonly Path[];
  /** How many files were imported under another name. */
  readonly renamed: number;
  /** How many files were left out, because the project's own stays. */
  readonly kept: number;
  readonly same: number;
  readonly seen: string;
}

export interface MergeOptions {
  readonly choice: Choice;
  readonly accept: boolean;
  /** The text of the project's own doc-main.md. */
  readonly main: string;
}

/**
 * What an import changes in a project. Files are overwritten only with `theirs`, and dialogs never: an imported dialog gets a new id. The
 * project's own authority lines in doc-main.md stay the same unless the user accepts the imported ones.
 */
export async function planMerge(
  arrivals: AsyncIterable<Arrival>,
  mine: Comparison,
  { choice, accept, main }: MergeOptions,
): Promise<MergePlan> {
  const changes: Change[] = [];
  const expect: { readonly path: Path; readonly version: number | null }[] = [];
  const conflicts: FileStat[] = [];
  const replaced: Path[] = [];
  const taken = new Set<string>();
  const takenDialogs = new Set(mine.dialogIds);
  const counts = { added: 0, renamed: 0, kept: 0, same: 0 };
  const write = (path: Path, data: Uint8Array | string, version: number | null): void => {
    changes.push({ op: "write", path, data });
    expect.push({ path, version });
    taken.add(canonical(path));
  };
  const stored = (arrival: Pick<Arrival, "path" | "bytes">): Uint8Array => (accept ? arrival.bytes : storedBytes(arrival));
  const waiting: Arrival[] = [];
  for await (const arrival of arrivals) {
    const standing = await mine.compare(arrival);
    if (standing.kind === "same") counts.same += 1;
    else if (standing.kind === "repository") counts.kept += 1;
    else if (standing.kind === "new") {
      counts.added += 1;
      write(arrival.path, stored(arrival), null);
      const id = dialogIdOf(arrival.path);
      if (id !== null) takenDialogs.add(id);
    } else {
      conflicts.push(standing.mine);
      if (choice === "mine") counts.kept += 1;
      // No history has the file's current state.
      else if (choice === "theirs" && !isTracked(standing.mine.path) && dialogIdOf(arrival.path) === null) counts.kept += 1;
      // If two names differ only in case, only one can replace the project's file.
      else if (choice === "both" || dialogIdOf(arrival.path) !== null || taken.has(canonical(standing.mine.path))) waiting.push(arrival);
      else {
        const { path, version } = standing.mine;
        // The user has not seen what the file does under this name.
        const { bytes } = path === arrival.path ? arrival : arrive(path, arrival.bytes, { accept: false, mtime: arrival.mtime });
        const guarded = isMainDoc(path) && !accept ? guardDoc(main, new TextDecoder().decode(bytes)) : null;
        write(path, guarded?.ok === false ? guarded.repaired : bytes, version);
        replaced.push(path);
      }
    }
  }
  // Find free names after all other names are known.
  for (const { path, bytes } of waiting) {
    const free = freePath(path, (each) => mine.has(each) || taken.has(canonical(each)), takenDialogs);
    counts.renamed += 1;
    write(free, stored({ path, bytes }), null);
  }
  return { changes, expect, ...counts, replaced, seen: seenOf(conflicts) };
}

function freePath(path: Path, isTaken: (path: Path) => boolean, dialogs: Set<string>): Path {
  for (const free of otherNames(path)) {
    const id = dialogIdOf(free);
    if (id === null ? isTaken(free) : dialogs.has(id)) continue;
    if (id !== null) dialogs.add(id);
    return free;
  }
  throw new RangeError(`no other name for ${path}`);
}

/** An endless list of other names for a file whose name is taken. `a.js` becomes `a-2.js`, `a-3.js`; a dialog gets other ids. */
export function* otherNames(path: Path): Generator<Path, void> {
  const dialog = parseDialogFilename(nameOf(path) ?? "");
  if (dialog) return yield* otherDialogs(dialog);
  const slash = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const at = dot > slash ? dot : path.length;
  for (let nth = 2; ; nth++) yield numbered(path.slice(0, at), path.slice(at), nth);
}

function* otherDialogs({ time, slug, status }: DialogName): Generator<Path, void> {
  for (const ids = new Set<string>(); ; ) {
    const id = freeDialogId(time, slug, (each) => ids.has(each));
    ids.add(id);
    yield vibeyPath(dialogFilename(id, status));
  }
}

/** If the name has the maximum length, the end of its longer part is cut to make room for the number. */
function numbered(stem: string, extension: string, nth: number): Path {
  const plain = parsePath(`${stem}-${nth}${extension}`);
  if (plain.ok) return plain.path;
  const isStem = stem.length > extension.length;
  const parsed = parsePath(isStem ? `${shorter(stem)}-${nth}${extension}` : `${stem}-${nth}${shorter(extension)}`);
  if (!parsed.ok) throw new RangeError(`no other name for ${stem}${extension}: ${parsed.failure.why}`);
  return parsed.path;
}

/** The text without its last ten characters, none of which is cut in half. */
const shorter = (text: string): string => text.replace(/.{10}$/su, "");
