import type { Path } from "../../fs/path.ts";
import { batches } from "../batches.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { SandboxChange, SandboxFiles } from "../sandbox.ts";
import type { RunningContainer } from "./link.ts";
import { byPath } from "./names.ts";
import { isOutside, outside } from "./outside.ts";
import { readSnapshot, type Snapshot, SnapshotError } from "./snapshot.ts";

/**
 * What the WebContainer has of the project's files: both ways between it and the store, which is the authority.
 *
 * - `collect` compares an export with what was last known, and remembers each difference until it is taken with `take`. Until then, and
 *   until `settle`, nothing that the store holds is written over it.
 * - A file is known by its bytes, and by the version of the store that had them; `null` where the store's is another one.
 * - What could not be put, or only in part, is no one's change: it is put again.
 * - A link of the WebContainer is never written through: it is removed before a file is put there, or below it.
 * - With its WebContainer it ends: what it has found can be taken, and it finds nothing more.
 * - One of these at a time: the caller sees to that.
 */
export interface Mirror {
  /** Once, at first: what the WebContainer has already is known from then on, and is replaced by `bringIn`. */
  adopt(): Promise<void>;
  /** Brings the WebContainer up to date with the store, but for what is not taken yet. Rejects when the WebContainer can't be reached. */
  bringIn(progress: (done: number, of: number) => void): Promise<void>;
  /** Finds what has changed in the WebContainer. Rejects when it can't be reached; nothing that was found before is lost by that. */
  collect(): Promise<void>;
  /** What was found and not taken yet. */
  readonly pending: number;
  /** Something has run in the WebContainer; `isLooked` is false until the next `collect` that succeeds. */
  touched(): void;
  /** Whether all that commands have done was looked for after their end. */
  readonly isLooked: boolean;
  /** The changes found so far; they have to be settled when they are stored. */
  take(): readonly SandboxChange[];
  /** These were stored, or refused, or merged: the WebContainer is given what the store has now where it differs. */
  settle(changes: readonly SandboxChange[]): Promise<void>;
  /** Lines about files that can't be kept, each once. */
  takeRemarks(): readonly string[];
}

interface Given {
  readonly path: Path;
  readonly bytes: Uint8Array;
  readonly version: number;
}

interface Held {
  readonly bytes: Uint8Array;
  /** Of the store; null: another, or none. */
  readonly version: number | null;
}

/** What the WebContainer may have of a file: beside what is known of it, ... */
interface Unsure {
  /** ... all of this, or its beginning, which could not be put; */
  readonly given: Given | null;
  /** ... nothing, since it was to be removed. */
  readonly mayBeGone: boolean;
}

/** How much is read, and handed to the page, at once. */
const batchFiles = 256;
const batchBytes = 1_000_000;

export function createMirror(container: Pick<RunningContainer, "put" | "remove" | "export">, files: SandboxFiles): Mirror {
  const held = new Map<Path, Held>();
  const unsure = new Map<Path, Unsure>();
  /** What the WebContainer calls a file, where that is not its path alone: the one that counts first. */
  const names = new Map<Path, readonly string[]>();
  /** The WebContainer's links, as they were seen last. */
  const links = new Set<string>();
  /** Not stored yet; `base` is the version from before the first change. */
  const found = new Map<Path, SandboxChange>();
  /** Taken, and not settled. */
  const underWay = new Set<Path>();
  const remarked = new Set<string>();
  let remarks: string[] = [];
  let format: "binary" | "json" = "binary";
  /** The one file that could not be put when it was the only one, with its version. */
  let refusedAlone: Pick<Given, "path" | "version"> | null = null;
  /** How often something has run, and how often it had when all was looked at. */
  let [touches, looked] = [0, 0];

  function remark(line: string): void {
    if (remarked.has(line)) return;
    remarked.add(line);
    remarks.push(line);
  }

  const nameOf = (path: Path): string => names.get(path)?.[0] ?? path;

  function isOurs(path: Path, bytes: Uint8Array): boolean {
    const given = unsure.get(path)?.given;
    return given ? equalBytes(given.bytes.subarray(0, bytes.length), bytes) : false;
  }

  /** What is written through a link changes another file. */
  async function removeLinks(given: readonly Given[]): Promise<void> {
    if (links.size === 0) return;
    const inTheWay = [...links].filter((link) => given.some(({ path }) => `${nameOf(path)}/`.startsWith(`${link}/`)));
    if (inTheWay.length === 0) return;
    const asked = await container.remove(inTheWay);
    if (!asked.ok) throw new Error(asked.why);
    for (const link of inTheWay) links.delete(link);
  }

  /** Why they could not be put; null: they were. */
  async function tryPut(given: readonly Given[]): Promise<string | null> {
    const asked = await container.put(given.map(({ path, bytes }) => ({ path: nameOf(path), bytes })));
    for (const one of given) {
      if (asked.ok) {
        unsure.delete(one.path);
        held.set(one.path, { bytes: one.bytes, version: one.version });
      } else unsure.set(one.path, { given: one, mayBeGone: unsure.get(one.path)?.mayBeGone ?? false });
    }
    return asked.ok ? null : asked.why;
  }

  /** A file that can't be put while others can is told of, and tried again the next time. Rejects where none can be put. */
  async function put(given: readonly Given[]): Promise<void> {
    if (given.length === 0) return;
    await removeLinks(given);
    const why = await tryPut(given);
    if (why === null) return;
    await removeEmptyFolders(given);
    const refused: { readonly one: Given; readonly why: string }[] = [];
    for (const one of given) {
      const again = await tryPut([one]);
      if (again !== null) refused.push({ one, why: again });
    }
    const [first] = refused;
    if (first === undefined) return;
    const { path, version } = first.one;
    const isKnown = given.length === 1 && refusedAlone?.path === path && refusedAlone.version === version;
    refusedAlone = given.length === 1 ? { path, version } : null;
    if (refused.length === given.length && !isKnown) throw new Error(first.why);
    for (const { one, why: reason } of refused)
      remark(`${one.path} could not be brought into the WebContainer, where it is not as in the project: ${reason}`);
  }

  /** Folders that hold nothing are no part of the project, and nothing tells of them but that a file can't be put there. */
  async function removeEmptyFolders(given: readonly Given[]): Promise<void> {
    const { files: there, links: linked } = await snapshot();
    const all = [...there.keys(), ...linked];
    const inTheWay = given.map(({ path }) => nameOf(path)).filter((name) => !all.some((one) => one === name || one.startsWith(`${name}/`)));
    if (inTheWay.length === 0) return;
    const asked = await container.remove(inTheWay);
    if (!asked.ok) throw new Error(asked.why);
  }

  async function drop(paths: readonly Path[]): Promise<void> {
    if (paths.length === 0) return;
    const asked = await container.remove(paths.flatMap((path) => names.get(path) ?? [path]));
    if (!asked.ok) {
      for (const path of paths) unsure.set(path, { given: unsure.get(path)?.given ?? null, mayBeGone: true });
      throw new Error(asked.why);
    }
    for (const path of paths) {
      unsure.delete(path);
      names.delete(path);
      held.delete(path);
    }
  }

  /** The WebContainer's file is the store's, afterwards; `null`: it is not there. */
  async function equalise(paths: readonly Path[]): Promise<void> {
    const contents = await files.readMany(paths);
    const stale: Given[] = [];
    const gone: Path[] = [];
    for (const [i, path] of paths.entries()) {
      const content = contents[i];
      const here = held.get(path);
      if (!content) {
        if (here || unsure.has(path)) gone.push(path);
      } else if (here && !unsure.has(path) && equalBytes(here.bytes, content.bytes))
        held.set(path, { bytes: here.bytes, version: content.version });
      else stale.push({ path, bytes: content.bytes, version: content.version });
    }
    await drop(gone);
    await put(stale);
  }

  async function snapshot(): Promise<Snapshot> {
    const asked = await container.export(format, outside);
    if (!asked.ok) throw new Error(asked.why);
    try {
      return readSnapshot(asked.answer);
    } catch (error) {
      // The tree is documented, the snapshot is quicker.
      if (!(error instanceof SnapshotError) || format === "json") throw error;
      format = "json";
      return snapshot();
    }
  }

  function note(path: Path, bytes: Uint8Array | null, base: number | null): void {
    const before = found.get(path);
    found.set(path, { path, bytes, base: before ? before.base : base });
  }

  /** What the WebContainer has now; names are kept. */
  async function look(): Promise<ReadonlyMap<Path, Uint8Array>> {
    const now = await snapshot();
    for (const name of now.links) remark(`not kept: ${name} is a link, and the project keeps files alone`);
    links.clear();
    for (const name of now.links) links.add(name);
    names.clear();
    const seen = new Map<Path, Uint8Array>();
    for (const [path, { name, names: all, bytes }] of byPath(now.files, remark)) {
      if (name !== path || all.length > 1) names.set(path, [name, ...all.filter((other) => other !== name)]);
      seen.set(path, bytes);
    }
    return seen;
  }

  return {
    async adopt() {
      for (const [path, bytes] of await look()) held.set(path, { bytes, version: null });
    },
    get pending() {
      return found.size;
    },
    touched() {
      touches += 1;
    },
    get isLooked() {
      return looked === touches;
    },
    async bringIn(progress) {
      const listed = (await files.list()).filter(({ path }) => !isOutside(path) && !found.has(path) && !underWay.has(path));
      const here = new Set<Path>(listed.map(({ path }) => path));
      const stale = listed.filter(({ path, version }) => held.get(path)?.version !== version || unsure.has(path));
      // What was begun to be put may be there.
      const begun = [...unsure].flatMap(([path, { given }]) => (given && !held.has(path) ? [path] : []));
      const gone = [...held.keys(), ...begun].filter((path) => !here.has(path) && !found.has(path) && !underWay.has(path));
      await drop(gone);
      // A file comes where a folder was.
      const folders = stale.map(({ path }) => path).filter((path) => gone.some((one) => one.startsWith(`${path}/`)));
      await drop(folders);
      let done = 0;
      for (const batch of batches(stale, ({ size }) => size, { files: batchFiles, bytes: batchBytes })) {
        progress(done, stale.length);
        await equalise(batch.map(({ path }) => path));
        done += batch.length;
      }
    },
    async collect() {
      const since = touches;
      const now = await look();
      for (const [path, bytes] of now) {
        const before = held.get(path);
        if (before && equalBytes(before.bytes, bytes)) continue;
        // Put in part, it has no version, and is put again.
        const given = isOurs(path, bytes) ? unsure.get(path)?.given : null;
        if (!given) note(path, bytes, before?.version ?? null);
        held.set(path, { bytes, version: given?.bytes.length === bytes.length ? given.version : null });
      }
      for (const [path, { version }] of held) {
        if (now.has(path)) continue;
        if (unsure.get(path)?.mayBeGone !== true) note(path, null, version);
        held.delete(path);
      }
      unsure.clear();
      looked = since;
    },
    take() {
      const changes = [...found.values()];
      found.clear();
      for (const { path } of changes) underWay.add(path);
      return changes;
    },
    async settle(changes) {
      const paths = changes.map(({ path }) => path);
      for (const path of paths) underWay.delete(path);
      // What was changed again meanwhile is found by the next comparison, and must not be written over before it.
      await equalise(paths.filter((path) => !found.has(path)));
    },
    takeRemarks() {
      const lines = remarks;
      remarks = [];
      return lines;
    },
  };
}
