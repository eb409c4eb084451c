/**
 * The shell's files for programs that can't wait, such as `node` and `python3`: the same files, rules and records as the shell's own.
 *
 * - Paths are absolute, or relative to the root. A failed call throws a `SystemError`.
 * - Some content comes from the engine on request (see `PutFile`), so call `load` first; reading content that was not loaded throws `EAGAIN`.
 * - A file's bytes are never changed in place: a view that was returned stays the same, and must not be written to.
 */
export interface SyncFiles {
  /**
   * Fetches the content of these files and of all files in these folders, as far as the shell can hold it. Without `paths`: of the whole project.
   * With `isWanted`: of the files whose path it accepts.
   */
  load(paths?: readonly string[], isWanted?: (path: string) => boolean): Promise<void>;
  /** Null: nothing is there. */
  stat(path: string): SyncStat | null;
  read(path: string): Uint8Array;
  /** Creates the file or replaces its content. */
  write(path: string, bytes: Uint8Array): void;
  append(path: string, bytes: Uint8Array): void;
  /** Names and kinds, sorted. */
  list(path: string): readonly { readonly name: string; readonly kind: "file" | "folder" }[];
  makeFolder(path: string, recursive: boolean): void;
  /** Removes a file. */
  unlink(path: string): void;
  /** Removes a folder. It must be empty, unless `recursive`. */
  removeFolder(path: string, recursive: boolean): void;
  /** Moves a file, or a folder with its content; replaces a file at the target. */
  rename(from: string, to: string): void;
  setMode(path: string, mode: number): void;
  /** Milliseconds since 1970. */
  setTime(path: string, mtime: number): void;
  /** Every file and folder; a folder comes before its content. */
  all(): Iterable<TreeEntry>;
}

/** A file or folder of a tree, to be created again elsewhere. */
export interface TreeEntry {
  /** Absolute. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Null: a folder, or a file whose content is not here (see `load`). Must not be changed. */
  readonly bytes: Uint8Array | null;
  readonly size: number;
  readonly mtime: number;
  /** Null: no one has set one. */
  readonly mode: number | null;
}

export interface SyncStat {
  readonly kind: "file" | "folder";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly mode: number;
  /** Stays the same for a file while the worker lives. */
  readonly id: number;
}

/** A failed system call. `message` is Node's: `ENOENT: no such file or directory, open 'x'`. */
export class SystemError extends Error {
  override readonly name = "SystemError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
