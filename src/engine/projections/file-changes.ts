import { type Actor, vibey } from "../../fs/actor.ts";
import type { Change, FileContent, Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { firstLimits } from "../../protocol/first-limits.ts";
import { slices } from "../slices.ts";
import { decodeText } from "../text.ts";

/**
 * What happened to the files of the deed and the docs since this engine started: which commit changed what, who made it, and
 * the text that stood there before, so that an agent can be told what it has missed. Dialogs are not followed. What happened before, and
 * texts that were too long to be kept, the project's history knows.
 *
 * - It sees what is committed through `files`, a wrapper of the files that it was made with; the engine is their one writer.
 * - Texts are kept as long as they are short and there is room; that something changed is known all the same.
 */
export interface FileChanges {
  readonly files: Files;
  /** The last commit; 0 before the first one of this engine. */
  version(): number;
  /** The changes of a file that are later than this version, first one first. */
  since(path: Path, version: number): readonly FileChange[];
  /** The text that a file which was changed since held as of this version; null: no one knows, or it was no text. */
  textAt(path: Path, version: number): Promise<string | null>;
  /** What became of a file after this moment, in milliseconds since 1970, by an earlier engine and by this one, first one first. */
  changesSince(path: Path, time: number): Promise<readonly Omit<FileChange, "version">[]>;
}

/** What is known of files beyond this engine's memory. It has an answer when it can't look, too: that nothing is known. */
export type EarlierChanges = Pick<FileChanges, "textAt" | "changesSince">;

const nothingOlder: EarlierChanges = { textAt: async () => null, changesSince: async () => [] };

export interface FileChange {
  readonly version: number;
  readonly by: Actor;
  /** The text before; null: there was no such file; undefined: it was not kept. */
  readonly before: string | null | undefined;
}

interface Entry {
  version: number;
  readonly by: Actor;
  before: string | null | undefined;
}

/** Files up to which each is asked for its size by itself. */
const fewFiles = 8;

export function trackFileChanges(files: Files, older: EarlierChanges = nothingOlder): FileChanges {
  const changes = new Map<Path, Entry[]>();
  const texts: Entry[] = [];
  let kept = 0;
  let last = 0;

  /** The texts of these files as they are, in the same order. Of many no more is read than is kept. */
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

  /** If what a file was can't be read, it can still be replaced. */
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

  /** In the order of the paths; null: there is no such file; undefined: that can't be found out. Of many files one list is cheaper. */
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

  /** Together, because that is cheaper; one by one where one of them can't be read. One that can't be read is missing. */
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

  /** A change that is under way is later than anything: no one must see what it wrote before it is known here. */
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
