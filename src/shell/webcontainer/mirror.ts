import type { Path } from "../../fs/path.ts";
import { batches } from "../batches.ts";
import { equalBytes } from "../equal-bytes.ts";
import type { SandboxChange, SandboxFiles } from "../sandbox.ts";
import type { RunningContainer } from "./link.ts";
import { byPath } from "./names.ts";
import { isOutside, outside } from "./outside.ts";
import { readSnapshot, type Snapshot, SnapshotError } from "./snapshot.ts";

/**
 * Keeps the project's files in the WebContainer and in the store in step, in both directions. The store is the authority.
 *
 * - `collect` compares an export with the last known state, and keeps each difference until `take` returns it. Until then, and until `settle`,
 *   nothing from the store overwrites the file.
 * - The mirror knows a file by its bytes and by the store's version with these bytes; the version is `null` if the store has other bytes.
 * - If a file could not be written, or only in part, that is not a change. The file is written again.
 * - The mirror never writes through a link of the WebContainer: it removes the link before it writes a file there or below it.
 * - When the WebContainer ends, changes that were found can still be taken, but no more are found.
 * - The caller makes sure that only one of these calls runs at a time.
 */
export interface Mirror {
  /** Called once, at the start: what the WebContainer already has counts as known, and `bringIn` replaces it. */
  adopt(): Promise<void>;
  /** Updates the WebContainer from the store, except for changes that were not taken yet. Rejects if the WebContainer can't be reached. */
  bringIn(progress: (done: number, of: number) => void): Promise<void>;
  /** Finds what has changed in the WebContainer. Rejects if it can't be reached; earlier findings are kept. */
  collect(): Promise<void>;
  /** The number of changes that were found and not taken yet. */
  readonly pending: number;
  /** Something has run in the WebContainer; `isLooked` is false until the next successful `collect`. */
  touched(): void;
  /** Whether a `collect` has succeeded since the last command ended. */
  readonly isLooked: boolean;
  /** The changes found so far. Settle them once they are stored. */
  take(): readonly SandboxChange[];
  /** These changes were stored, refused or merged. Where the store now differs, the WebContainer gets the store's content. */
  settle(changes: readonly SandboxChange[]): Promise<void>;
  /** Lines about files that can't be kept, each line once. */
  takeRemarks(): readonly string[];
}

interface Given {
  readonly path: Path;
  readonly bytes: Uint8Array;
  readonly version: number;
}

interface Held {
  readonly bytes: Uint8Array;
  /** The store's version; null: the store has other bytes, or no such file. */
  readonly version: number | null;
}

/** What the WebContainer may have of a file in addition to what is known: */
interface Unsure {
  /** a failed write left all of this, or its beginning; */
  readonly given: Given | null;
  /** a failed removal left nothing. */
  readonly mayBeGone: boolean;
}

/** How much is read, and sent to the page, at once. */
const batchFiles = 256;
const batchBytes = 1_000_000;

export function createMirror(container: Pick<RunningContainer, "put" | "remove" | "export">, files: SandboxFiles): Mirror {
  const held = new Map<Path, Held>();
  const unsure = new Map<Path, Unsure>();
  /** The WebContainer's names of a file if they differ from its path. The first one counts. */
  const names = new Map<Path, readonly string[]>();
  /** The WebContainer's links, as last seen. */
  const links = new Set<string>();
  /** Changes that are not stored yet. `base` is the version from before the first change. */
  const found = new Map<Path, SandboxChange>();
  /** Changes that were taken and not settled. */
  const underWay = new Set<Path>();
  const remarked = new Set<string>();
  let remarks: string[] = [];
  let format: "binary" | "json" = "binary";
  /** The file that could not be written even alone, with its version. */
  let refusedAlone: Pick<Given, "path" | "version"> | null = null;
  /** How often something has run, and the value of that count at the last complete check. */
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

  /** Writing through a link would change another file. */
  async function removeLinks(given: readonly Given[]): Promise<void> {
    if (links.size === 0) return;
    const inTheWay = [...links].filter((link) => given.some(({ path }) => `${nameOf(path)}/`.startsWith(`${link}/`)));
    if (inTheWay.length === 0) return;
    const asked = await container.remove(inTheWay);
    if (!asked.ok) throw new Error(asked.why);
    for (const link of inTheWay) links.delete(link);
  }

  /** Returns why the files could not be written; null if they were. */
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

  /** Reports a file that can't be written while others can, and tries it again next time. Rejects if no file can be written. */
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

  /** Empty folders are not part of the project. The only sign of one is that a file can't be written there. */
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

  /** Makes the WebContainer's files equal to the store's. A `null` content means that the file does not exist. */
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
      // The tree format is documented; the snapshot is faster.
      if (!(error instanceof SnapshotError) || format === "json") throw error;
      format = "json";
      return snapshot();
    }
  }

  function note(path: Path, bytes: Uint8Array | null, base: number | null): void {
    const before = found.get(path);
    found.set(path, { path, bytes, base: before ? before.base : base });
  }

  /** Exports what the WebContainer has now, and records its names. */
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
      // A file whose writing was begun may exist.
      const begun = [...unsure].flatMap(([path, { given }]) => (given && !held.has(path) ? [path] : []));
      const gone = [...held.keys(), ...begun].filter((path) => !here.has(path) && !found.has(path) && !underWay.has(path));
      await drop(gone);
      // A file replaces a folder.
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
        // A partly written file has no version, and is written again.
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
      // A file that changed again must not be overwritten before the next comparison finds the change.
      await equalise(paths.filter((path) => !found.has(path)));
    },
    takeRemarks() {
      const lines = remarks;
      remarks = [];
      return lines;
    },
  };
}
