import type { Change, Files } from "../fs/files.ts";
import type { Path } from "../fs/path.ts";
import { limits } from "./limits.ts";
import { decodeText } from "./text.ts";

/**
 * What happened to the files of the deed and the docs since this engine started: which commit changed what, who made it, and
 * the text that stood there before, so that an agent can be told what it has missed. Dialogs are not followed. What happened before, and
 * texts that were too long to be kept, the project's history knows.
 *
 * - It sees what is committed through `files`, a wrapper of the files that it was made with; the engine is their one writer.
 * - Texts are kept as long as they are short and there is room; that something changed is known all the same.
 */
export interface Past {
  readonly files: Files;
  /** The last commit; 0 before the first one of this engine. */
  version(): number;
  /** The changes of a file that are later than this version, first one first. */
  since(path: Path, version: number): readonly PastChange[];
  /** The text that a file which was changed since held as of this version; null: nobody knows, or it was no text. */
  textAt(path: Path, version: number): Promise<string | null>;
  /** What became of a file after this moment, in milliseconds since 1970, by an earlier engine and by this one, first one first. */
  changesSince(path: Path, time: number): Promise<readonly Omit<PastChange, "version">[]>;
}

/** What is known of files beyond this engine's memory. It has an answer when it can't look, too: that nothing is known. */
export type OlderPast = Pick<Past, "textAt" | "changesSince">;

const nothingOlder: OlderPast = { textAt: async () => null, changesSince: async () => [] };

export interface PastChange {
  readonly version: number;
  /** Who, as the commit said it. */
  readonly by: string;
  /** The text before; null: there was no such file; undefined: it was not kept. */
  readonly before: string | null | undefined;
}

interface Entry {
  version: number;
  readonly by: string;
  before: string | null | undefined;
}

export function keepPast(files: Files, older: OlderPast = nothingOlder): Past {
  const changes = new Map<Path, Entry[]>();
  const texts: Entry[] = [];
  let kept = 0;
  let last = 0;

  /** The texts of these files as they are, in the same order. Of many no more is read than is kept. */
  async function textsBefore(paths: readonly Path[]): Promise<PastChange["before"][]> {
    // That what a file was can't be read must not keep it from being replaced.
    const sizes = await Promise.all(
      paths.map((path) =>
        files.stat(path).then(
          (stat) => stat && stat.size,
          () => undefined,
        ),
      ),
    );
    let room = limits.pastTexts;
    return Promise.all(
      sizes.map(async (size, nth) => {
        const path = paths[nth];
        if (size === null) return null;
        if (path === undefined || size === undefined || size > Math.min(room, limits.pastTextBytes)) return undefined;
        room -= size;
        return files.read(path).then(
          (content) => content && (decodeText(content.bytes) ?? undefined),
          () => undefined,
        );
      }),
    );
  }

  const since = (path: Path, version: number) => (changes.get(path) ?? []).filter((entry) => entry.version > version);

  /** A change that is under way is later than anything: nobody must see what it wrote before it is known here. */
  function begin(path: Path, by: string): Entry {
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
    while (kept > limits.pastTexts) {
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
        const entries = paths.map((path) => ({ path, entry: begin(path, options.by ?? "") }));
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
