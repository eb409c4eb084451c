import type { IFileSystem } from "just-bash/browser";
import type { PromiseFsClient } from "isomorphic-git";
import { codeOf } from "./files.ts";

/** isomorphic-git checks an error's `code`, which Node sets. Our errors start their message with the code. */
async function coded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw Object.assign(error instanceof Error ? new Error(error.message, { cause: error }) : new Error(String(error)), {
      code: codeOf(error),
    });
  }
}

type Encoding = "utf8" | { readonly encoding?: string } | undefined;

/** The shell's files with the interface that isomorphic-git needs. */
export function libraryFiles(fs: IFileSystem): PromiseFsClient {
  const stat = async (path: string): Promise<object> => {
    const found = await coded(() => fs.stat(path));
    return {
      isFile: () => found.isFile,
      isDirectory: () => found.isDirectory,
      isSymbolicLink: () => false,
      type: found.isDirectory ? "dir" : "file",
      mode: found.mode,
      size: found.size,
      mtimeMs: found.mtime.getTime(),
      ctimeMs: found.mtime.getTime(),
      ino: 0,
      dev: 0,
      uid: 0,
      gid: 0,
    };
  };
  return {
    promises: {
      async readFile(path: string, options: Encoding) {
        const text = options === "utf8" || (typeof options === "object" && options.encoding === "utf8");
        return coded<string | Uint8Array>(() => (text ? fs.readFile(path) : fs.readFileBuffer(path)));
      },
      // A slice of a Buffer shares its memory, but the shell's files expect a copy, so they never get a Buffer.
      writeFile: (path: string, data: string | Uint8Array) =>
        coded(() => fs.writeFile(path, typeof data === "string" ? data : new Uint8Array(data))),
      mkdir: (path: string) => coded(() => fs.mkdir(path)),
      rmdir: (path: string) => coded(() => fs.rm(path, { recursive: true })),
      unlink: (path: string) => coded(() => fs.rm(path)),
      readdir: (path: string) => coded(() => fs.readdir(path)),
      stat,
      lstat: stat,
      readlink: (path: string) => coded(() => fs.readlink(path)),
      symlink: (target: string, path: string) => coded(() => fs.symlink(target, path)),
    },
  };
}
