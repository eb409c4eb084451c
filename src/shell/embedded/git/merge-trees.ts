import { readAttributes } from "./attributes.ts";
import { changesBetween, withRenames } from "./changes.ts";
import type { Options } from "./options.ts";
import type { Repository } from "./repository.ts";
import { absent, failed, fatal } from "./stop.ts";
import { modes, type FileRef, type Snapshot } from "./store/model.ts";
import { type Conflict, emptyBlob } from "./store/index-file.ts";
import { compareBytes, isBinary } from "./text/bytes.ts";
import { mergeLines } from "../../../fs/text/merge-lines.ts";
import { linesOf } from "./text/unified.ts";
import { toBytes } from "../encoding.ts";

export interface MergedTrees {
  /** The files for the working tree; a file in conflict contains markers. */
  readonly files: Snapshot;
  readonly conflicts: ReadonlyMap<string, Conflict>;
  /** "Auto-merging a", "CONFLICT (content): …", one per line, by path. */
  readonly messages: readonly string[];
}

/** The names of the two sides in conflict markers. */
export interface MergeNames {
  readonly ours: string;
  readonly theirs: string;
  /** The side whose lines win where both sides changed them (`-X`). */
  readonly favor?: Favor;
}

/** The side whose lines win where both sides changed them; null: neither. */
export type Favor = "ours" | "theirs" | null;

/** The side that `-X` names. */
export function favorOf(command: string, options: Options): Favor {
  const given = options.value("strategy-option");
  if (given === null || given === "ours" || given === "theirs") return given;
  return absent(`${command} -X ${given}; it knows ours and theirs`);
}

/**
 * Merges two trees with a common ancestor. If one side renamed a file, the other side's changes go to the new name. If git would move files aside
 * under other names, the merge is refused before anything changes.
 */
export async function mergeTrees(
  repo: Repository,
  base: Snapshot,
  ours: Snapshot,
  theirs: Snapshot,
  { ours: own, theirs: name, favor = null }: MergeNames,
): Promise<MergedTrees> {
  const files = new Map<string, FileRef>();
  const conflicts = new Map<string, Conflict>();
  const messages: { path: string; text: string }[] = [];
  const say = (path: string, text: string): void => void messages.push({ path, text });

  // A rename on one side moves the other entries to the new name, so that they merge as one file.
  const moved = { base: new Map(base), ours: new Map(ours), theirs: new Map(theirs) };
  const renames = { ours: await renamesOf(repo, base, ours), theirs: await renamesOf(repo, base, theirs) };
  for (const [from, path] of renames.ours) {
    const other = renames.theirs.get(from);
    if (other === path) {
      const file = base.get(from);
      if (file) moved.base.set(path, file);
      moved.base.delete(from);
    } else if (other !== undefined) refuse(`${from} was renamed to ${path} in ${own} and to ${other} in ${name}`);
    else if (!theirs.has(from)) refuse(`${from} was renamed to ${path} in ${own} and removed in ${name}`);
  }
  for (const [from, path] of renames.theirs)
    if (!renames.ours.has(from) && !ours.has(from)) refuse(`${from} was renamed to ${path} in ${name} and removed in ${own}`);
  /** Names before a rename, by the new name. */
  const oldNames = { ours: new Map<string, string>(), theirs: new Map<string, string>() };
  const follow = (side: "ours" | "theirs"): void => {
    const other = side === "ours" ? "theirs" : "ours";
    for (const [from, path] of renames[side]) {
      if (moved.base.has(path) || moved[other].has(path) || !moved.base.has(from) || !moved[other].has(from)) continue;
      for (const which of ["base", other] as const) {
        const file = moved[which].get(from);
        if (file) moved[which].set(path, file);
        moved[which].delete(from);
      }
      oldNames[other].set(path, from);
    }
  };
  follow("ours");
  follow("theirs");

  const paths = new Set([...moved.base.keys(), ...moved.ours.keys(), ...moved.theirs.keys()]);
  for (const path of [...paths].toSorted(compareBytes)) {
    const sides = { base: moved.base.get(path) ?? null, ours: moved.ours.get(path) ?? null, theirs: moved.theirs.get(path) ?? null };
    if (equal(sides.ours, sides.theirs)) keep(path, sides.ours);
    else if (equal(sides.base, sides.theirs)) keep(path, sides.ours);
    else if (equal(sides.base, sides.ours)) keep(path, sides.theirs);
    else if (sides.ours && sides.theirs) await mergeFile(path, sides.base, sides.ours, sides.theirs);
    else {
      const stays = sides.ours ?? sides.theirs;
      const [goneIn, kept] = sides.ours ? [name, own] : [own, name];
      say(
        path,
        `CONFLICT (modify/delete): ${path} deleted in ${goneIn} and modified in ${kept}.  Version ${kept} of ${path} left in tree.`,
      );
      conflicts.set(path, sides);
      keep(path, stays);
    }
  }
  for (const path of files.keys())
    for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1))
      if (files.has(path.slice(0, at))) refuse(`${path.slice(0, at)} is a file on one side and a folder on the other`);
  return { files, conflicts, messages: messages.map(({ text }) => text) };

  function keep(path: string, file: FileRef | null): void {
    if (file) files.set(path, file);
  }

  async function mergeFile(path: string, before: FileRef | null, our: FileRef, their: FileRef): Promise<void> {
    const mode = before && our.mode === before.mode ? their.mode : our.mode;
    if (our.oid === their.oid || (before && before.oid === their.oid)) return keep(path, { mode, oid: our.oid });
    if (before && before.oid === our.oid) return keep(path, { mode, oid: their.oid });
    const kind = before ? "content" : "add/add";
    const contents =
      our.mode === modes.submodule || their.mode === modes.submodule
        ? null
        : await Promise.all([
            before ? repo.objects.blob(before.oid) : new Uint8Array(),
            repo.objects.blob(our.oid),
            repo.objects.blob(their.oid),
          ]);
    const driver = (await (await readAttributes(repo)).of(path)).get("merge");
    const isWhole = driver === false || driver === "binary" || contents?.some(isBinary) === true;
    if (contents !== null && isWhole && favor !== null) {
      say(path, `Auto-merging ${path}`);
      return keep(path, { mode, oid: favor === "ours" ? our.oid : their.oid });
    }
    if (contents === null || isWhole) {
      if (contents !== null) say(path, `warning: Cannot merge binary files: ${path} (${own} vs. ${name})`);
      say(path, `Auto-merging ${path}`);
      say(path, `CONFLICT (${kind}): Merge conflict in ${path}`);
      conflicts.set(path, { base: before, ours: our, theirs: their });
      return keep(path, our);
    }
    const [baseLines = [], ourLines = [], theirLines = []] = contents.map(linesOf);
    // If the file has two names, the markers say which.
    const [ourPath, theirPath] = [oldNames.ours.get(path) ?? path, oldNames.theirs.get(path) ?? path];
    const labels = ourPath === theirPath ? { ours: own, theirs: name } : { ours: `${own}:${ourPath}`, theirs: `${name}:${theirPath}` };
    const merged = mergeLines(
      baseLines,
      ourLines,
      theirLines,
      { ours: bytesOf(labels.ours), theirs: bytesOf(labels.theirs) },
      driver === "union" ? "union" : favor,
    );
    const oid = repo.objects.hold(toBytes(merged.lines.join(""), "latin1"));
    say(path, `Auto-merging ${path}`);
    if (merged.conflicts > 0) {
      say(path, `CONFLICT (${kind}): Merge conflict in ${path}`);
      conflicts.set(path, { base: before, ours: our, theirs: their });
    }
    return keep(path, { mode, oid });
  }
}

/** The file of a conflict with its markers again, as `git checkout -m <path>` writes it. */
export async function withMarkers(repo: Repository, path: string, { base, ours, theirs }: Conflict): Promise<FileRef> {
  if (ours === null || theirs === null) return failed(`path '${path}' does not have all necessary versions`);
  const sides = await Promise.all([base, ours, theirs].map(async (side) => (side ? repo.objects.blob(side.oid) : new Uint8Array())));
  if (sides.some(isBinary)) return failed(`cannot merge binary files: ${path}`);
  const [baseLines = [], ourLines = [], theirLines = []] = sides.map(linesOf);
  const { lines } = mergeLines(baseLines, ourLines, theirLines, { ours: "ours", theirs: "theirs" });
  return { mode: ours.mode, oid: repo.objects.hold(toBytes(lines.join(""), "latin1")) };
}

/** The files that a side renamed: old name to new name. As in git, a merge follows no empty file. */
async function renamesOf(repo: Repository, base: Snapshot, side: Snapshot): Promise<Map<string, string>> {
  const changes = await withRenames(
    repo,
    changesBetween(base, side, () => true),
  );
  return new Map(changes.flatMap(({ from, path, old }) => (from === null || old?.oid === emptyBlob ? [] : [[from, path] as const])));
}

function refuse(why: string): never {
  return fatal(`${why}; Vibey's git does not merge that. Nothing was changed; make the names agree first`);
}

/** Encodes a text as one character per UTF-8 byte, like the lines that it is put among. */
function bytesOf(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function equal(a: FileRef | null, b: FileRef | null): boolean {
  return a === null || b === null ? a === b : a.oid === b.oid && a.mode === b.mode;
}
