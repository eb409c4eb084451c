import type { EmscriptenFileSystem } from "./mount.ts";

/** WASI's error number for "read-only file system". */
const readOnly = 69;

/**
 * Makes Python's own file system (the standard library, its home) read-only: a program's files there would take the worker's memory without a limit,
 * and be lost when it ends. The mounted folders have their own rules.
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
