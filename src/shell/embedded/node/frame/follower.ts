import type { SyncFiles, TreeEntry } from "../../sync-files.ts";
import type { FromProcess } from "./messages.ts";

type Message<T extends FromProcess["type"]> = Extract<FromProcess, { readonly type: T }>;

export interface Follower {
  /** The process made this change to its own copy and it was repeated here, so it need not be sent to the process. */
  did(change: Message<"change">): void;
  /** What others have changed since the last call; null if nothing. */
  changes(): { readonly files: readonly TreeEntry[]; readonly gone: readonly string[] } | null;
}

/** Knows which files a process has. It starts with the shell's current files. */
export function followFiles(files: SyncFiles): Follower {
  /** A `mode` of -1 is unknown and not compared. */
  type Known = Pick<TreeEntry, "kind" | "bytes" | "mtime" | "mode">;
  let known = new Map<string, Known>();
  for (const entry of files.all()) known.set(entry.path, entry);

  const isSame = (a: Known | undefined, b: TreeEntry): boolean =>
    a !== undefined &&
    a.kind === b.kind &&
    a.bytes === b.bytes &&
    (a.kind === "folder" || a.mtime === b.mtime) &&
    (a.mode === -1 || a.mode === b.mode);

  const below = (folder: string): [string, Known][] => [...known].filter(([path]) => path === folder || path.startsWith(`${folder}/`));

  /** Records the folder and those above it, which the process now has, too. */
  function made(folder: string): void {
    for (let end = folder.indexOf("/", 1); ; end = folder.indexOf("/", end + 1)) {
      const path = end < 0 ? folder : folder.slice(0, end);
      if (!known.has(path)) known.set(path, { kind: "folder", bytes: null, mtime: 0, mode: -1 });
      if (end < 0) return;
    }
  }

  function moved(from: string, to: string): void {
    const leaving = below(from);
    for (const [path] of leaving) known.delete(path);
    for (const [path, entry] of leaving) known.set(to + path.slice(from.length), entry);
  }

  return {
    did({ call, args: [first, second] }) {
      const path = String(first);
      const stat = files.stat(path);
      if (call === "write" || call === "append") {
        if (stat !== null) known.set(path, { kind: stat.kind, bytes: files.read(path), mtime: stat.mtime, mode: -1 });
      } else if (call === "makeFolder") made(path);
      else if (call === "unlink") known.delete(path);
      else if (call === "removeFolder") for (const [gone] of below(path)) known.delete(gone);
      else if (call === "rename") moved(path, String(second));
      else if (call === "setTime" || call === "setMode") {
        // Changes that others made to it are still reported.
        const old = known.get(path);
        if (old !== undefined && stat !== null) known.set(path, { ...old, ...(call === "setTime" ? { mtime: stat.mtime } : { mode: -1 }) });
      }
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
