import type { Change, CommitOptions, Files, FileStat } from "../../fs/files.ts";
import { joinBytes } from "../../fs/bytes.ts";
import { type Path, parsePath } from "../../fs/path.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { limits } from "../../protocol/limits.ts";
import { mergeTexts } from "../../fs/text/merge-texts.ts";
import type { FileChanges } from "../projections/file-changes.ts";
import { equalBytes } from "../../shell/equal-bytes.ts";
import { readEach } from "../read-each.ts";
import { slices } from "../slices.ts";
import type { SandboxChange } from "../../shell/sandbox.ts";
import { decodeText } from "../text.ts";
import { guardMainDoc, isMainDoc, writeRefusal } from "../../protocol/write-rules.ts";

export { agentPath } from "../../protocol/write-rules.ts";

export interface Admitted {
  readonly changes: readonly Change[];
  readonly expect: NonNullable<CommitOptions["expect"]>;
  /** Files that also contain another author's change, so the agent hasn't seen their current content. */
  readonly merged: readonly Path[];
  /** For the agent: what was not done or done differently, one line each. */
  readonly notes: readonly string[];
  /** For the user. */
  readonly notices: readonly string[];
}

type AdmitFiles = Pick<Files, "stat" | "readMany">;

/** A file in its current state. `bytes` is null if it can't be read. */
interface Now extends FileStat {
  readonly bytes: Uint8Array | null;
}

/**
 * Converts a command's changes to commits in the store. It only reads. If a commit of its result fails with `conflict`, call it again.
 *
 * - Files that agents may not write are dropped, with a note. doc-main.md keeps its authority lines.
 * - A file that someone else changed after the command received it is never overwritten or removed. What the command only appended is added to
 *   the current content, as on a disk. If both changed different lines of a known text, both changes are kept. Otherwise the command's version is
 *   stored next to it, as `name.conflict-1.ext`.
 * - A damaged file is replaced or removed, unless someone else changed it.
 */
export async function admitChanges(
  changes: readonly SandboxChange[],
  { files, fileChanges }: { readonly files: AdmitFiles; readonly fileChanges: Pick<FileChanges, "textAt"> },
): Promise<Admitted> {
  const admitted: Draft = { changes: [], expect: [], merged: [], notes: [], notices: [], taken: new Set() };
  for (const slice of slices(changes, ({ bytes }) => bytes?.length ?? 0)) {
    const paths = slice.map(({ path }) => path);
    const contents = await readEach(files, paths);
    for (const [at, change] of slice.entries())
      await admit(change, await nowOf(contents[at] ?? null, change.path, files), { files, fileChanges }, admitted);
  }
  const { changes: all, expect, merged, notes, notices } = admitted;
  return { changes: all, expect, merged, notes, notices };
}

async function nowOf(content: Now | StorageError | null, path: Path, files: AdmitFiles): Promise<Now | null> {
  if (!(content instanceof StorageError)) return content;
  const stat = await files.stat(path);
  return stat && { ...stat, bytes: null };
}

interface World {
  readonly files: AdmitFiles;
  readonly fileChanges: Pick<FileChanges, "textAt">;
}

interface Draft {
  readonly changes: Change[];
  readonly expect: { path: Path; version: number | null }[];
  readonly merged: Path[];
  readonly notes: string[];
  readonly notices: string[];
  /** The conflict names that this call has used. */
  readonly taken: Set<string>;
}

async function admit(change: SandboxChange, now: Now | null, { files, fileChanges }: World, draft: Draft): Promise<void> {
  const { path, bytes, base } = change;
  const refusal = writeRefusal(path);
  if (refusal !== null) return void draft.notes.push(`not kept: ${refusal}`);
  const changedMeanwhile = (now?.version ?? null) !== base;
  const current = now?.bytes ?? null;
  // The authority lines of a damaged doc-main.md are unknown, so the file stays.
  const staysAs = now !== null && (changedMeanwhile || (current === null && isMainDoc(path))) ? now : null;
  const wanted = isMainDoc(path) && staysAs === null ? guarded(current, bytes, draft) : bytes;

  if (wanted === null) {
    if (now === null) return;
    if (staysAs) return void draft.notes.push(`${path} wasn't deleted because ${whyKept(current)}`);
    draft.changes.push({ op: "remove", path });
    draft.expect.push({ path, version: now.version });
    return;
  }
  const appended = staysAs && current ? appendedTo(current, change) : null;
  if (appended === null && current !== null && equalBytes(current, wanted)) return;
  if (staysAs) {
    const merged = current && (appended ?? (await mergedWith(current, change, fileChanges)));
    if (current && merged) {
      const kept = isMainDoc(path) ? guarded(current, merged, draft) : merged;
      if (kept === null || equalBytes(current, kept)) return;
      draft.changes.push({ op: "write", path, data: kept });
      draft.expect.push({ path, version: staysAs.version });
      draft.merged.push(path);
      draft.notes.push(`someone else also changed ${path}; both changes were merged`);
      return;
    }
    const beside = await conflictPath(path, files, draft.taken);
    draft.changes.push({ op: "write", path: beside, data: wanted });
    draft.expect.push({ path: beside, version: null });
    draft.notes.push(
      current === null
        ? `${path} is damaged and can't be read, so it was kept; this command's version is in ${beside}`
        : `someone else changed ${path}, so their version was kept; this command's version is in ${beside}`,
    );
    return;
  }
  if (changedMeanwhile) draft.notes.push(`someone else deleted ${path}; this command's version was kept`);
  draft.changes.push({ op: "write", path, data: wanted });
  draft.expect.push({ path, version: now?.version ?? null });
}

const whyKept = (current: Uint8Array | null): string => (current === null ? "it is damaged and can't be read" : "someone else changed it");

/** The current file with what the command appended. Null if the command did something else. */
function appendedTo(now: Uint8Array, { bytes, keeps }: SandboxChange): Uint8Array | null {
  return bytes === null || keeps === undefined ? null : joinBytes([now, bytes.subarray(keeps)]);
}

/** The file with both the command's change and the changes of others since the command received it. Null if they can't be merged line by line. */
async function mergedWith(
  now: Uint8Array,
  { path, bytes, base }: SandboxChange,
  fileChanges: Pick<FileChanges, "textAt">,
): Promise<Uint8Array | null> {
  if (base === null || bytes === null || Math.max(now.length, bytes.length) > limits.mergeBytes) return null;
  const [ours, theirs] = [decodeText(now), decodeText(bytes)];
  if (ours === null || theirs === null) return null;
  const before = await fileChanges.textAt(path, base);
  const merged = before === null ? null : mergeTexts(before, ours, theirs);
  return merged === null ? null : new TextEncoder().encode(merged);
}

/** doc-main.md as the command left it, but with its original authority lines. */
function guarded(before: Uint8Array | null, after: Uint8Array | null, draft: Draft): Uint8Array | null {
  const guard = guardMainDoc(before && textOf(before), after && textOf(after));
  if (guard.ok) return after && withoutMark(after);
  draft.notes.push(`${guard.error}. Its lines were put back; a new one has a backslash in front`);
  draft.notices.push(guard.notice);
  return new TextEncoder().encode(guard.repaired);
}

/** Decodes the doc as its readers do: a byte order mark must not hide a line. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

async function conflictPath(path: Path, files: AdmitFiles, taken: Set<string>): Promise<Path> {
  const slash = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const end = dot > slash ? dot : path.length;
  for (let n = 1; ; n++) {
    const tail = `.conflict-${n}${path.slice(end)}`;
    const named = parsePath(path.slice(0, end) + tail);
    // The path is close to the maximum length.
    const beside = named.ok ? named : parsePath(`conflict-${n}`);
    if (!beside.ok) throw new RangeError(beside.failure.why);
    if (taken.has(beside.path) || (await files.stat(beside.path)) !== null) continue;
    taken.add(beside.path);
    return beside.path;
  }
}
