import type { SyncFiles, TreeEntry } from "../../sync-files.ts";

export interface Follower {
  /** The process did this to its own copy, and it was done here. */
  did(call: string, path: unknown): void;
  /** What others changed since; null: nothing. */
  changes(): { readonly files: readonly TreeEntry[]; readonly gone: readonly string[] } | null;
}

/** What a process has of the shell's files, which it was given as they are now. */
export function followFiles(files: SyncFiles): Follower {
  /** `mode` -1: it is not known, and doesn't tell. */
  type Known = Pick<TreeEntry, "kind" | "bytes" | "mtime" | "mode">;
  let known = new Map<string, Known>();
  for (const entry of files.all()) known.set(entry.path, entry);

  const isSame = (a: Known | undefined, b: TreeEntry): boolean =>
    a !== undefined &&
    a.kind === b.kind &&
    a.bytes === b.bytes &&
    (a.kind === "folder" || a.mtime === b.mtime) &&
    (a.mode === -1 || a.mode === b.mode);

  return {
    did(call, path) {
      if (typeof path !== "string") return;
      const stat = call === "write" || call === "append" ? files.stat(path) : null;
      if (stat !== null) known.set(path, { kind: stat.kind, bytes: files.read(path), mtime: stat.mtime, mode: -1 });
      else if (call === "unlink") known.delete(path);
    },
    changes() {
      const before = known;
      known = new Map();
      const changed: TreeEntry[] = [];
      for (const entry of files.all()) {
        const old = before.get(entry.path);
        before.delete(entry.path);
        const same = isSame(old, entry);
        known.set(entry.path, same && old !== undefined ? old : entry);
        if (!same) changed.push(entry.bytes === null ? entry : { ...entry, bytes: entry.bytes.slice() });
      }
      const gone = [...before.keys()];
      return changed.length === 0 && gone.length === 0 ? null : { files: changed, gone };
    },
  };
}
