import { utf8ToBytes } from "@noble/hashes/utils.js";
import type { Files, FileStat } from "../../../fs/files.ts";
import type { ExportedHistory, ExportOptions } from "../../../fs/history/export-files.ts";
import { canonical, type Path } from "../../../fs/path.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import { nameOf } from "../../../fs/vibey-name.ts";
import { mostNameBytes } from "../../../fs/zip/format.ts";
import { mostEntries, type ZipEntry, zipStream } from "../../../fs/zip/write.ts";
import { parseDialogFilename } from "../../../dialog/name.ts";
import { findDialog } from "../../log/written-files.ts";
import { limits } from "../../../protocol/limits.ts";
import { readEach, readUndamaged } from "../../read-each.ts";
import type { Finding } from "../outgoing/finding.ts";
import { heldPattern } from "../outgoing/held-name.ts";
import { outgoing, sorted } from "../outgoing/outgoing.ts";
import { commentOf } from "./archive.ts";

export type Scope = "docs" | "dialogs" | "all";

const scopes: Readonly<Record<Scope, (stat: FileStat) => boolean>> = {
  docs: ({ path }) => path.startsWith("vibey/") && !parseDialogFilename(nameOf(path) ?? ""),
  dialogs: ({ path }) => path.startsWith("vibey/"),
  all: () => true,
};

export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopes, text);
}

export interface ExportDeps {
  readonly files: Pick<Files, "list" | "readMany">;
  /** The history's files for `.git`, or for a folder of its own (`bare`). Null if there is none. */
  readonly history: ((options: Omit<ExportOptions, "signal">) => Promise<ExportedHistory>) | null;
  /** Files that run by themselves keep their own names. */
  readonly asTheyAre: boolean;
  /** Includes installed packages. */
  readonly packages: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number, of: number) => void;
  /** Called with a sentence about what the zip lacks, or about what exceeds Vibey's import limits. Can also be called while the zip is made. */
  readonly warn: (warning: string) => void;
}

export type ExportedProject =
  | { readonly ok: true; readonly zip: ReadableStream<Uint8Array> }
  | { readonly ok: false /** In a sentence. */; readonly why: string };

/** A snapshot of the project: docs, docs and dialogs, or everything with the history. The same project gives the same bytes. */
export async function exportProject(scope: Scope, deps: ExportDeps): Promise<ExportedProject> {
  const { files, history, asTheyAre, packages, signal, onProgress, warn } = deps;
  const stats = (await files.list()).filter(scopes[scope]).filter(({ path }) => packages || !isInstalled(path));
  const left: LeftOut = { gone: new Set(), damaged: new Set() };
  const read = inBatches(files, stats, left);
  const leaving = await outgoing({
    files: stats,
    async read(path) {
      const bytes = (await read(path)) ?? (left.damaged.has(path) ? null : await renamed(files, path));
      if (bytes === null && !left.damaged.has(path)) left.gone.add(path);
      return bytes;
    },
    peek: oneOf(files),
    scan: inBatches(files, stats),
    asTheyAre,
  });
  const entries: ZipEntry[] = [...leaving.entries];
  let size = stats.reduce((sum, stat) => sum + stat.size, 0);
  let folder: string | null = null;
  if (scope === "all" && history) {
    const free = freeFolder(stats);
    const { isAbsent, isUnwanted, sparse } = leaving;
    const kept = await history({
      bare: free !== ".git",
      isAbsent,
      overlook: leaving.isMarked ? heldPattern : null,
      keepOut: { isUnwanted, sparse },
    });
    if (kept.files.length > 0) folder = free;
    // The history's files have no times. Use the newest file's time, so that the zip stays the same as long as the project does.
    const mtime = stats.reduce((newest, stat) => Math.max(newest, stat.mtime), 0);
    for (const { path, bytes } of kept.files) {
      entries.push({ path: `${free}/${path}`, mtime, read: async () => bytes });
      size += bytes.length;
    }
    if (kept.damaged.length > 0) warn(`${kept.damaged.length} parts of the history are damaged and aren't in the zip.`);
  }
  if (entries.length > mostEntries) return { ok: false, why: tooMany(entries) };
  for (const warning of excess(entries, size)) warn(warning);
  const zip = zipStream(entries, {
    signal,
    comment: commentOf(folder),
    onProgress: (bytes) => onProgress(bytes, size),
    onEnd: () => {
      if (left.damaged.size > 0)
        warn(`Not in the zip because they're damaged and can't be read: ${named(left.damaged)}. The backup may have them.`);
      if (left.gone.size > 0) warn(`Not in the zip because they were deleted or renamed while it was made: ${named(left.gone)}.`);
    },
  });
  return { ok: true, zip };
}

const isInstalled = (path: string): boolean => /(?:^|\/)node_modules\//.test(path);

/** How many files of installed packages should be left out so that Vibey can import the zip. 0 if it can anyway. */
export async function tooManyInstalled(scope: Scope, files: Pick<Files, "list">): Promise<number> {
  const stats = (await files.list()).filter(scopes[scope]);
  return stats.length > limits.importEntries ? stats.filter(({ path }) => isInstalled(path)).length : 0;
}

/** Files of the project that are not in the zip. */
interface LeftOut {
  readonly gone: Set<Path>;
  readonly damaged: Set<Path>;
}

/** How many names a warning lists. The rest is counted. */
const mostNamed = 5;

function named(paths: ReadonlySet<Path>): string {
  const some = [...paths].slice(0, mostNamed).join(", ");
  return paths.size > mostNamed ? `${some} and ${(paths.size - mostNamed).toLocaleString("en")} more` : some;
}

function tooMany(entries: readonly ZipEntry[]): string {
  const installed = entries.filter(({ path }) => isInstalled(path)).length;
  const advice =
    installed === 0
      ? "Export the docs and dialogs alone."
      : `${installed.toLocaleString("en")} of them are installed packages, which can be left out.`;
  return `A zip has room for ${mostEntries.toLocaleString("en")} files, and this one would hold ${entries.length.toLocaleString("en")}. ${advice}`;
}

/** A dialog whose file was renamed since the files were listed, because its status is part of the name. */
async function renamed(files: ExportDeps["files"], path: Path): Promise<Uint8Array | null> {
  const name = parseDialogFilename(nameOf(path) ?? "");
  const stat = name && (await findDialog(files, name.dialogId));
  return stat && oneOf(files)(stat.path);
}

/** The import limits that the zip exceeds, as sentences. `size` is the total size of the contents in bytes. */
export function excess(entries: readonly Pick<ZipEntry, "path">[], size: number): string[] {
  const warnings: string[] = [];
  if (entries.length > limits.importEntries)
    warnings.push(
      `The zip holds ${entries.length.toLocaleString("en")} files. Vibey can't import more than ${limits.importEntries.toLocaleString("en")}.`,
    );
  const nameBytes = entries.reduce((sum, { path }) => sum + utf8ToBytes(path).length, 0);
  if (nameBytes > mostNameBytes)
    warnings.push(
      `The names of the files in the zip are ${Math.ceil(nameBytes / 1e6)} MB together. Vibey can't import more than ${mostNameBytes / 1e6} MB.`,
    );
  if (size > limits.importBytes)
    warnings.push(`The zip holds ${Math.round(size / 1e6)} MB. Vibey can't import more than ${limits.importBytes / 1e6} MB.`);
  return warnings;
}

/** What in the project would run outside the browser. `ever` returns the matching files that the history has or had. */
export async function findOutgoing(
  scope: Scope,
  files: ExportDeps["files"],
  ever: (isWanted: (path: string) => boolean) => Promise<Iterable<string>>,
): Promise<readonly Finding[]> {
  const stats = (await files.list()).filter(scopes[scope]);
  const { findings, historyFinding, isUnwanted } = await outgoing({
    files: stats,
    read: oneOf(files),
    scan: inBatches(files, stats),
    asTheyAre: false,
  });
  if (scope !== "all") return findings;
  const told = new Set(findings.map(({ path }) => path));
  const more = Array.from(await ever(isUnwanted)).filter((path) => !told.has(path));
  return sorted([...findings, ...more.flatMap((path) => historyFinding(path))]);
}

/** The folder for the history, because the deed may have its own repository. */
function freeFolder(stats: readonly FileStat[]): string {
  const forms = stats.map(({ path }) => canonical(path));
  for (let nth = 0; ; nth++) {
    const folder = nth === 0 ? ".git" : nth === 1 ? "history.git" : `history-${nth}.git`;
    if (!forms.some((form) => form === folder || form.startsWith(`${folder}/`))) return folder;
  }
}

function oneOf(files: Pick<Files, "readMany">): (path: Path) => Promise<Uint8Array | null> {
  return async (path) => (await readUndamaged(files, [path]))[0]?.bytes ?? null;
}

/** How many bytes and files are read at once. */
const batchBytes = 2_000_000;
const batchFiles = 100;

/** Reads each file on request, together with some that will be requested next. For many small files, that is much faster. */
function inBatches(files: Pick<Files, "readMany">, stats: readonly FileStat[], left?: LeftOut): (path: Path) => Promise<Uint8Array | null> {
  // In the order of the zip.
  const inOrder = stats.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const places = new Map(inOrder.map(({ path }, at) => [path, at]));
  const ready = new Map<Path, Uint8Array | null>();
  return async (path) => {
    if (!ready.has(path)) {
      ready.clear();
      const batch: Path[] = [];
      let size = 0;
      for (let at = places.get(path) ?? 0; at < inOrder.length && batch.length < batchFiles; at++) {
        const stat = inOrder[at];
        if (!stat || (batch.length > 0 && size + stat.size > batchBytes)) break;
        batch.push(stat.path);
        size += stat.size;
      }
      for (const [at, content] of (await readEach(files, batch)).entries()) {
        const one = batch[at];
        if (one === undefined) continue;
        if (content instanceof StorageError) left?.damaged.add(one);
        ready.set(one, content instanceof StorageError ? null : (content?.bytes ?? null));
      }
    }
    const bytes = ready.get(path) ?? null;
    ready.delete(path);
    return bytes;
  };
}
