import type { IFileSystem } from "just-bash/browser";

export interface WorkStat {
  readonly isFolder: boolean;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Whether the file is executable. */
  readonly canRun: boolean;
  /** The path is a link, which is not followed. */
  readonly isLink: boolean;
}

/** The files as git needs them: absolute paths, and null for missing files. */
export interface WorkFiles {
  stat(path: string): Promise<WorkStat | null>;
  read(path: string): Promise<Uint8Array | null>;
  /** The link's target. */
  readLink(path: string): Promise<string>;
  /** Replaces what is there with a link. False: links are not supported here. */
  writeLink(path: string, target: string): Promise<boolean>;
  /** Creates missing folders. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  append(path: string, bytes: Uint8Array): Promise<void>;
  setRuns(path: string, runs: boolean): Promise<void>;
  /** Removes a file, and the folders above it that are then empty, up to `top`. */
  remove(path: string, top: string): Promise<void>;
  removeFolder(path: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  list(path: string): Promise<readonly { readonly name: string; readonly isFolder: boolean }[]>;
  readonly resolve: (base: string, path: string) => string;
}

export function workFiles(fs: IFileSystem): WorkFiles {
  const stat = async (path: string): Promise<WorkStat | null> => {
    try {
      const found = await fs.lstat(path);
      const { isDirectory: isFolder, isSymbolicLink: isLink, size } = found;
      return { isFolder, isLink, size, mtime: found.mtime.getTime(), canRun: !isLink && (found.mode & 0o100) !== 0 };
    } catch (error) {
      return nothing(error);
    }
  };
  const list: WorkFiles["list"] = async (path) => {
    const names = await fs.readdir(path);
    if (!fs.readdirWithFileTypes) {
      return Promise.all(names.map(async (name) => ({ name, isFolder: (await fs.stat(`${path}/${name}`)).isDirectory })));
    }
    return (await fs.readdirWithFileTypes(path)).map((entry) => ({ name: entry.name, isFolder: entry.isDirectory }));
  };
  return {
    stat,
    list,
    async read(path) {
      try {
        return await fs.readFileBuffer(path);
      } catch (error) {
        return nothing(error);
      }
    },
    readLink: (path) => fs.readlink(path),
    async writeLink(path, target) {
      await fs.mkdir(parentOf(path), { recursive: true });
      await fs.rm(path, { force: true });
      try {
        await fs.symlink(target, path);
        return true;
      } catch (error) {
        if (codeOf(error) === "ENOTSUP") return false;
        throw error;
      }
    },
    async write(path, bytes) {
      await fs.mkdir(parentOf(path), { recursive: true });
      await fs.writeFile(path, bytes);
    },
    async append(path, bytes) {
      await fs.mkdir(parentOf(path), { recursive: true });
      await fs.appendFile(path, bytes);
    },
    setRuns: (path, runs) => fs.chmod(path, runs ? 0o755 : 0o644),
    async remove(path, top) {
      await fs.rm(path, { force: true });
      for (let folder = parentOf(path); folder.startsWith(`${top}/`); folder = parentOf(folder)) {
        if ((await stat(folder))?.isFolder !== true || (await list(folder)).length > 0) return;
        await fs.rm(folder, { recursive: true });
      }
    },
    removeFolder: (path) => fs.rm(path, { recursive: true, force: true }),
    async move(from, to) {
      await fs.mkdir(parentOf(to), { recursive: true });
      await fs.mv(from, to);
    },
    makeFolder: (path) => fs.mkdir(path, { recursive: true }),
    resolve: (base, path) => fs.resolvePath(base, path),
  };
}

/** Returns null if the error says that nothing is there; rethrows any other error. */
function nothing(error: unknown): null {
  if (/^(?:ENOENT|ENOTDIR|EISDIR|EINVAL)\b/.test(codeOf(error))) return null;
  throw error;
}

export function codeOf(error: unknown): string {
  return /^E[A-Z]+/.exec(error instanceof Error ? error.message : String(error))?.[0] ?? "";
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "/" : path.slice(0, slash);
}
