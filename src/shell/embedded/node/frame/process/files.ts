import { dialogRefusal } from "../../../../../protocol/write-rules.ts";
import { projectFolder } from "../../../protocol.ts";
import { createShellFiles } from "../../../shell-files.ts";
import { type SyncFiles, SystemError, type TreeEntry } from "../../../sync-files.ts";
import { parsePath, type Path } from "../../../../../fs/path.ts";
import { type FileChange, fileChanges, type FromProcess, type ToProcess } from "../messages.ts";

export interface ProcessFiles {
  readonly files: SyncFiles;
  /** Applies changes of others. */
  readonly update: (message: Extract<ToProcess, { readonly type: "files" }>) => void;
  /** From now on `heard` receives each change, the process's own and those of others. Null stops it. */
  readonly watch: (heard: ((changes: readonly Change[]) => void) | null) => void;
}

type Change = readonly [kind: "made" | "changed" | "gone", path: string];

/** A process's own copy of the shell's files, which answers synchronously. `say` receives its changes, in order; see `FromProcess`. */
export function processFiles(entries: readonly TreeEntry[], say: (message: FromProcess) => void): ProcessFiles {
  const shell = createShellFiles({
    refusal: dialogRefusal,
    record: () => undefined,
    // Files that were not sent are not available.
    fetch: async () => null,
    now: () => Date.now(),
    failure: (message) => new Error(message),
  });
  const files = shell.now;
  let told = 0;
  let heard: ((changes: readonly Change[]) => void) | null = null;
  /** Paths that were changed here, with the number of the last change, until the shell has seen it. */
  const recent = new Map<string, number>();

  function put({ path, kind, bytes, size, mtime, mode }: TreeEntry): void {
    if (kind === "folder") {
      if (files.stat(path)?.kind !== "folder") shell.mkdirSync(path);
    } else {
      const inProject = projectPathOf(path);
      if (inProject !== null) shell.put(inProject, bytes, size, mtime);
      else if (bytes !== null && !path.startsWith("/dev/")) {
        shell.writeFileSync(path, bytes);
        files.setTime(path, mtime);
      } else return;
    }
    if (mode !== null && (kind === "file" || mode !== 0o755)) files.setMode(path, mode);
  }
  for (const entry of entries) put(entry);

  function drop(path: string): void {
    const kind = files.stat(path)?.kind;
    const inProject = kind === "file" ? projectPathOf(path) : null;
    if (inProject !== null) {
      shell.drop(inProject);
      // A folder that becomes empty by this stays, until it is reported as removed itself.
      shell.mkdirSync(path.slice(0, path.lastIndexOf("/")));
    } else if (kind === "file") files.unlink(path);
    else if (kind === "folder") files.removeFolder(path, true);
  }

  function tell(call: FileChange): (...args: unknown[]) => void {
    return (...args) => {
      const changes = heard === null ? [] : changesOf(call, args);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of the arguments, as in `fileChanges`.
      const message = { type: "change", call, args: args as (string | number | boolean | Uint8Array)[] } as const;
      try {
        Reflect.apply(files[call], files, args);
      } catch (error) {
        // The shell reports refused changes at the end.
        if (error instanceof SystemError && error.code === "EROFS") send(message);
        throw error;
      }
      send(message);
      if (changes.length > 0) heard?.(changes);
    };
  }
  /** The changes that a call will make. */
  function changesOf(call: FileChange, [first, second]: readonly unknown[]): readonly Change[] {
    const [path, target] = [String(first), String(second)];
    const isThere = (at: string): boolean => files.stat(at) !== null;
    if (call === "unlink" || call === "removeFolder") return isThere(path) ? [["gone", path]] : [];
    if (call === "rename")
      return [
        ["gone", path],
        ["made", target],
      ];
    if (call === "makeFolder") return foldersToMake(path).map((folder) => ["made", folder]);
    return [[isThere(path) ? "changed" : "made", path]];
  }
  /** The folder and its parent folders that do not exist yet. */
  function foldersToMake(path: string): string[] {
    const folders: string[] = [];
    for (let at = path; at !== "" && files.stat(at) === null; at = at.slice(0, at.lastIndexOf("/"))) folders.unshift(at);
    return folders;
  }
  function send(message: Extract<FromProcess, { readonly type: "change" }>): void {
    say(message);
    told++;
    for (const arg of message.args) if (typeof arg === "string") recent.set(arg, told);
  }

  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's own keys.
  const changing = Object.fromEntries((Object.keys(fileChanges) as FileChange[]).map((call) => [call, tell(call)]));
  return {
    files: { ...files, ...changing },
    update({ files: changed, gone, upTo }) {
      for (const [path, number] of recent) if (number <= upTo) recent.delete(path);
      const newer = [...recent.keys()];
      const isNewerHere = (path: string): boolean =>
        newer.some((own) => own === path || path.startsWith(`${own}/`) || own.startsWith(`${path}/`));
      const changes: Change[] = [];
      // The contents of a folder come before the folder.
      for (const path of gone.toReversed()) {
        if (isNewerHere(path)) continue;
        if (heard !== null && files.stat(path) !== null) changes.push(["gone", path]);
        drop(path);
      }
      for (const entry of changed) {
        if (isNewerHere(entry.path)) continue;
        const before = heard === null ? null : files.stat(entry.path);
        if (heard !== null && (entry.kind === "file" || before === null)) changes.push([before === null ? "made" : "changed", entry.path]);
        put(entry);
      }
      if (changes.length > 0) heard?.(changes);
    },
    watch: (listener) => void (heard = listener),
  };
}

function projectPathOf(path: string): Path | null {
  const parsed = path.startsWith(`${projectFolder}/`) ? parsePath(path.slice(projectFolder.length + 1)) : null;
  return parsed?.ok === true ? parsed.path : null;
}
