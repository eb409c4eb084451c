import type { EmscriptenFileSystem } from "./mount.ts";

/** WASI's number of "read-only file system". */
const readOnly = 69;

/**
 * Python's own file system (the standard library, its home) can't be changed from now on: what a program wrote there would be in the
 * worker's memory without a limit, and gone with the program. The folders that are mounted in it have rules of their own.
 */
export function closeFileSystem(FS: EmscriptenFileSystem): void {
  const refuse = (): never => {
    throw new FS.ErrnoError(readOnly);
  };
  const { dir, file } = FS.filesystems.MEMFS.ops_table;
  for (const name of ["mknod", "rename", "unlink", "rmdir", "symlink", "setattr"]) dir.node[name] = refuse;
  file.node["setattr"] = refuse;
  for (const name of ["write", "allocate", "mmap"]) file.stream[name] = refuse;
}
