import { type Actor, vibey } from "../../fs/actor.ts";
import type { Change, FileContent, Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { firstLimits } from "../../protocol/first-limits.ts";
import { slices } from "../slices.ts";
import { decodeText } from "../text.ts";

/**
 * The changes of the deed's files and the docs since this engine started: which commit changed what, who made it, and the previous text, so that an
 * agent can be told what it has missed. Dialogs are not tracked. The project's history knows earlier changes, and texts that were too long to keep.
 *
 * - It sees the commits made through `files`, a wrapper of the files that it was created with. The engine is their only writer.
 * - Texts are kept if they are short and there is space. The fact that something changed is always kept.
 */
export interface FileChanges {
  readonly files: Files;
  /** The last commit. 0 before the first commit of this engine. */
  version(): number;
  /** The changes of a file after this version, oldest first. */
  since(path: Path, version: number): readonly FileChange[];
  /** The text at this version of a file that has changed since. Null: unknown, or it was not text. */
  textAt(path: Path, version: number): Promise<string | null>;
  /** The changes of a file after this time, in milliseconds since 1970, by an earlier engine and by this one, oldest first. */
  changesSince(path: Path, time: number): Promise<readonly Omit<FileChange, "version">[]>;
}

/** What is known about files beyond this engine's memory. If it can't look, it answers that nothing is known. */
export type EarlierChanges = Pick<FileChanges, "textAt" | "changesSince">;

const nothingOlder: EarlierChanges = { textAt: async () => null, changesSince: async () => [] };

export interface FileChange {
  readonly version: number;
  readonly by: Actor;
  /** The previous text. Null: there was no such file. Undefined: it was not kept. */
  readonly before: string | null | undefined;
}

interface Entry {
  version: number;
  readonly by: Actor;
  before: string | null | undefined;
}

/** Up to this many files are asked for their sizes one by one. */
const fewFiles = 8;

export function trackFileChanges(files: Files, older: EarlierChanges = nothingOlder): FileChanges {
  const changes = new Map<Path, Entry[]>();
  const texts: Entry[] = [];
  let kept = 0;
  let last = 0;

  /** The current texts of these files, in the same order. If there are many, reads no more than is kept. */
  async function textsBefore(paths: readonly Path[]): Promise<FileChange["before"][]> {
    const before: FileChange["before"][] = [];
    let room = firstLimits.pastTexts;
    for (const slice of slices(paths)) {
      for (const text of await textsOf(slice, room)) {
        room -= text?.length ?? 0;
        before.push(text);
      }
    }
    return before;
  }

  /** If the old content is unreadable, the file can still be replaced. */
  async function textsOf(paths: readonly Path[], most: number): Promise<FileChange["before"][]> {
    if (most <= 0) return paths.map(() => undefined);
    const sizes = await sizesOf(paths);
    let room = most;
    const wanted: Path[] = [];
    for (const [nth, path] of paths.entries()) {
      const size = sizes[nth] ?? Infinity;
      if (size > Math.min(room, firstLimits.pastTextBytes)) continue;
      room -= size;
      wanted.push(path);
    }
    const found = await contentsOf(wanted);
    return paths.map((path, nth) => {
      if (sizes[nth] === null) return null;
      const content = found.get(path);
      return content === undefined ? undefined : content && (decodeText(content.bytes) ?? undefined);
    });
  }

  /** In the order of the paths. Null: there is no such file. Undefined: unknown. For many files a single list is cheaper. */
  async function sizesOf(paths: readonly Path[]): Promise<(number | null | undefined)[]> {
    if (paths.length <= fewFiles) {
      return Promise.all(
        paths.map((path) =>
          files.stat(path).then(
            (stat) => stat && stat.size,
            () => undefined,
          ),
        ),
      );
    }
    const wanted = new Set(paths);
    const sizes = new Map<Path, number>();
    const listed = await files.list().catch(() => null);
    for (const { path, size } of listed ?? []) if (wanted.has(path)) sizes.set(path, size);
    return paths.map((path) => sizes.get(path) ?? (listed === null ? undefined : null));
  }

  /** Reads all files together, which is cheaper. If one of them can't be read, reads them one by one. Unreadable files are missing in the result. */
  async function contentsOf(paths: readonly Path[]): Promise<ReadonlyMap<Path, FileContent | null>> {
    if (paths.length === 0) return new Map();
    try {
      const contents = await files.readMany(paths);
      return new Map(paths.map((path, nth) => [path, contents[nth] ?? null]));
    } catch {
      const found = new Map<Path, FileContent | null>();
      for (const path of paths) {
        await files.read(path).then(
          (content) => found.set(path, content),
          () => undefined,
        );
      }
      return found;
    }
  }

  const since = (path: Path, version: number) => (changes.get(path) ?? []).filter((entry) => entry.version > version);

  /** A change in progress counts as later than anything: no one may see its content before it is recorded here. */
  function begin(path: Path, by: Actor): Entry {
    const entry: Entry = { version: Infinity, by, before: undefined };
    const entries = changes.get(path);
    if (entries) entries.push(entry);
    else changes.set(path, [entry]);
    return entry;
  }

  function takeBack(path: Path, entry: Entry): void {
    const left = (changes.get(path) ?? []).filter((other) => other !== entry);
    if (left.length > 0) changes.set(path, left);
    else changes.delete(path);
  }

  function keep(entry: Entry, text: string): void {
    entry.before = text;
    texts.push(entry);
    kept += text.length;
    while (kept > firstLimits.pastTexts) {
      const oldest = texts.shift();
      kept -= oldest?.before?.length ?? 0;
      if (oldest) oldest.before = undefined;
    }
  }

  return {
    files: {
      ...files,
      async commit(list, options) {
        const paths = [...new Set(list.flatMap(pathsChanged))];
        const before = await textsBefore(paths);
        const entries = paths.map((path) => ({ path, entry: begin(path, options.by ?? vibey) }));
        const takeAllBack = () => {
          for (const { path, entry } of entries) takeBack(path, entry);
        };
        const result = await files.commit(list, options).catch((error: unknown) => {
          takeAllBack();
          throw error;
        });
        if (!result.ok) {
          takeAllBack();
          return result;
        }
        last = result.version;
        for (const [nth, { entry }] of entries.entries()) {
          entry.version = result.version;
          const text = before[nth];
          if (typeof text === "string") keep(entry, text);
          else entry.before = text;
        }
        return result;
      },
    },
    version: () => last,
    since,
    async textAt(path, version) {
      const before = since(path, version)[0]?.before;
      return before === undefined ? older.textAt(path, version) : before;
    },
    changesSince: (path, time) => older.changesSince(path, time),
  };
}

function pathsChanged(change: Change): Path[] {
  if (change.op === "fold") return [];
  return (change.op === "rename" ? [change.from, change.to] : [change.path]).filter((path) => !path.startsWith("vibey/dialog-"));
}
