/**
 * The shell's files for programs that can't wait, such as `node` and `python3`: the same files, rules and records as the shell's own.
 *
 * - Paths are absolute, or taken from the root; what a call can't do is thrown as a `SystemError`.
 * - Some content comes from the engine when it is asked for (see `PutFile`), so `load` comes first; reading what was not loaded throws `EAGAIN`.
 * - A file's bytes are never changed in place: a view that was given out stays as it was, and must not be written to.
 */
export interface SyncFiles {
  /**
   * Fetches the content of these files and of all files in these folders, as far as the shell can hold so much. Without `paths`: of the whole
   * project. With `isWanted`: of the files whose path it accepts.
   */
  load(paths?: readonly string[], isWanted?: (path: string) => boolean): Promise<void>;
  /** null: there is nothing. */
  stat(path: string): SyncStat | null;
  read(path: string): Uint8Array;
  /** Makes the file or replaces its content. */
  write(path: string, bytes: Uint8Array): void;
  append(path: string, bytes: Uint8Array): void;
  /** Names and kinds, sorted. */
  list(path: string): readonly { readonly name: string; readonly kind: "file" | "folder" }[];
  makeFolder(path: string, recursive: boolean): void;
  /** A file. */
  unlink(path: string): void;
  /** A folder: an empty one, unless `recursive`. */
  removeFolder(path: string, recursive: boolean): void;
  /** A file, or a folder with all that is in it; a file that is at the target is replaced. */
  rename(from: string, to: string): void;
  setMode(path: string, mode: number): void;
  /** Milliseconds since 1970. */
  setTime(path: string, mtime: number): void;
  /** Every file and folder, a folder before what is in it. */
  all(): Iterable<TreeEntry>;
}

/** One file or folder of a tree, to be made again elsewhere. */
export interface TreeEntry {
  /** Absolute. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** null: a folder, or a file whose content is not here (see `load`). Not to be changed. */
  readonly bytes: Uint8Array | null;
  readonly size: number;
  readonly mtime: number;
  /** null: no one has set one. */
  readonly mode: number | null;
}

export interface SyncStat {
  readonly kind: "file" | "folder";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly mode: number;
  /** The same for the same file as long as the worker lives. */
  readonly id: number;
}

/** What a system call answers instead of doing what it was asked. `message` is Node's: `ENOENT: no such file or directory, open 'x'`. */
export class SystemError extends Error {
  override readonly name = "SystemError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
