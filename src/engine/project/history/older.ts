import type { History } from "../../../fs/history/history.ts";
import type { Oid } from "../../../fs/history/object.ts";
import type { HistoryStore, KnownFile } from "../../../fs/history/store.ts";
import type { Path } from "../../../fs/path.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { EarlierChanges, FileChange } from "../../projections/file-changes.ts";
import { decodeText } from "../../text.ts";
import { byOf } from "./people.ts";

/**
 * What the history knows about files that the engine's memory doesn't: changes made under an earlier engine, and texts too long to keep in
 * memory.
 */
export interface Older extends EarlierChanges {
  /** Notes file states of the newest commit that a later commit has replaced. */
  replaced(files: readonly KnownFile[]): void;
}

export interface OlderDeps {
  readonly history: Pick<History, "bytes">;
  readonly store: Pick<HistoryStore, "changes" | "commits" | "file">;
  /** Settles when pending changes are committed, or after a time limit. */
  readonly upToDate: () => Promise<void>;
}

/** How many commits are read at a time. */
const page = 64;
/** How many file states are kept, each with the object id of its content. */
const maxStates = 20_000;

export function createOlder({ history, store, upToDate }: OlderDeps): Older {
  /** Object ids by path and version, oldest first. Versions are those of this engine's files. */
  const contents = new Map<string, Oid>();
  const keyOf = (path: Path, version: number) => `${version} ${path}`;

  async function textOf(oid: Oid): Promise<string | undefined> {
    try {
      return decodeText(await history.bytes(oid)) ?? undefined;
    } catch (error) {
      // Callers can do without the text, and learn that it isn't available.
      if (error instanceof StorageError) return undefined;
      throw error;
    }
  }

  return {
    replaced(files) {
      for (const { path, version, oid } of files) contents.set(keyOf(path, version), oid);
      for (const key of contents.keys()) {
        if (contents.size <= maxStates) break;
        contents.delete(key);
      }
    },
    async textAt(path, version) {
      await upToDate();
      const [newest] = await store.file([path]);
      const oid = newest?.version === version ? newest.oid : contents.get(keyOf(path, version));
      return oid === undefined ? null : ((await textOf(oid)) ?? null);
    },
    async changesSince(path, time) {
      await upToDate();
      const found: Omit<FileChange, "version">[] = [];
      for (let before = Infinity; ; ) {
        const records = await store.commits(before, page);
        const [first, last] = [records[0], records.at(-1)];
        // The commits are almost in order of time.
        if (!first || !last || records.every((record) => record.time <= time)) return found.toReversed();
        const changes = new Map((await store.changes(last.number, first.number)).map(({ number, files }) => [number, files]));
        for (const record of records) {
          const change = record.time > time ? changes.get(record.number)?.find((one) => one.path === path) : undefined;
          if (!change) continue;
          found.push({ by: byOf(record), before: change.before === null ? null : await textOf(change.before) });
        }
        before = last.number;
      }
    },
  };
}
