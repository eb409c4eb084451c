import { type SyncFiles, type SyncStat, SystemError } from "../sync-files.ts";

/** The parts of Emscripten's FS that are used. */
export interface EmscriptenFileSystem {
  readonly ErrnoError: new (errno: number) => Error;
  mkdirTree(path: string): void;
  makedev(major: number, minor: number): number;
  registerDevice(device: number, operations: object): void;
  mkdev(path: string, mode: number, device: number): void;
  /** Removes a node from the name cache: the next lookup asks the folder. */
  hashRemoveNode(node: FsNode): void;
  writeFile(path: string, bytes: Uint8Array, options: { readonly canOwn: boolean }): void;
  /** Emscripten's own file system, with the functions of all its nodes. */
  readonly filesystems: {
    readonly MEMFS: {
      readonly ops_table: {
        readonly dir: { readonly node: Record<string, unknown> };
        readonly file: { readonly node: Record<string, unknown>; readonly stream: Record<string, unknown> };
      };
    };
  };
  createNode(parent: FsNode | null, name: string, mode: number, device: number): FsNode;
  mount(type: object, options: object, path: string): unknown;
  isDir(mode: number): boolean;
}

interface FsNode {
  readonly parent: FsNode;
  name: string;
  mode: number;
  id: number;
  node_ops: object;
  stream_ops: object;
  /** The content while the file is open. */
  content?: Content | undefined;
}

interface Content {
  bytes: Uint8Array;
  size: number;
  /** How many times it is open. */
  open: number;
  /** It differs from the shell's file. */
  dirty: boolean;
  /** The file was deleted while open: what is written to it is in no folder. */
  isGone: boolean;
  /** When the file was deleted, in milliseconds since 1970. */
  deletedAt: number;
}

interface Stream {
  readonly node: FsNode;
  readonly flags: number;
  position: number;
}

/** Emscripten's (WASI's) numbers of the errors, by the names that the shell's files use. */
const errnos: Readonly<Record<string, number>> = {
  EACCES: 2,
  EAGAIN: 6,
  EBUSY: 10,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EISDIR: 31,
  ENOENT: 44,
  ENOSPC: 51,
  ENOTDIR: 54,
  ENOTEMPTY: 55,
  EPERM: 63,
  EROFS: 69,
  ENOTSUP: 138,
};

const fileTooLarge = 22;
const noSpace = 51;

/**
 * Maximum bytes of one file, as in the shell's files, and of all files that a program has open at the same time, which are in the worker's memory.
 */
const fileLimit = 64_000_000;
const openLimit = 512_000_000;

const folderType = 0o040000;
const fileType = 0o100000;
const truncates = 0o1000;

export interface MountedFolder {
  /** Writes the program's changes to the shell's files. */
  readonly flush: () => void;
  /** Makes changes of other commands visible to the program. */
  readonly refresh: () => void;
}

/**
 * Mounts a folder of the shell's files in Python's file system. Bytes appended to a file are in the shell's files when `write` returns. Other changes
 * are written when the file is flushed or closed, or before a request to the shell is answered: a program may end with files open, and SQLite's own
 * flush does nothing in Emscripten. `open`: how many bytes are held for all mounted folders.
 */
export function mountFolder(FS: EmscriptenFileSystem, files: SyncFiles, folder: string, open: { bytes: number }): MountedFolder {
  const opened = new Set<FsNode>();
  /** The nodes that Emscripten finds by name. */
  const known = new Set<FsNode>();

  function call<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof SystemError) throw new FS.ErrnoError(errnos[error.code] ?? 29);
      throw error;
    }
  }

  function pathOf(node: FsNode): string {
    return node.parent === node ? folder : `${pathOf(node.parent)}/${node.name}`;
  }

  function modeOf(stat: SyncStat): number {
    return (stat.kind === "folder" ? folderType : fileType) | stat.mode;
  }

  function statAt(path: string): SyncStat {
    const stat = call(() => files.stat(path));
    if (stat === null) throw new FS.ErrnoError(44);
    return stat;
  }

  /** A file that was deleted while open has no path any longer. */
  function statOf(of: FsNode): SyncStat {
    const { content } = of;
    if (content?.isGone !== true) return statAt(pathOf(of));
    return { kind: "file", size: content.size, mtime: content.deletedAt, mode: of.mode & 0o7777, id: of.id };
  }

  function makeNode(parent: FsNode | null, name: string, mode: number): FsNode {
    const made = FS.createNode(parent, name, mode, 0);
    made.node_ops = nodeOps;
    made.stream_ops = streamOps;
    if (parent !== null) known.add(made);
    return made;
  }

  function flush(of: FsNode): void {
    const { content } = of;
    if (!content?.dirty || content.isGone) return;
    content.dirty = false;
    call(() => files.write(pathOf(of), content.bytes.slice(0, content.size)));
  }

  /** Reloads an open file as another command left it. */
  function reread(of: FsNode): void {
    const { content } = of;
    if (content === undefined || content.dirty || content.isGone) return;
    if (call(() => files.stat(pathOf(of)))?.kind !== "file") {
      Object.assign(content, { isGone: true, deletedAt: Date.now() });
      return;
    }
    const bytes = call(() => files.read(pathOf(of)));
    open.bytes += bytes.length - content.bytes.length;
    Object.assign(content, { bytes: bytes.slice(), size: bytes.length });
  }

  /** Grows the buffer to hold `size` bytes, in memory of its own. */
  function grow(content: Content, size: number): void {
    if (content.bytes.length >= size) return;
    const room = Math.max(size, Math.min(2 * content.bytes.length, fileLimit), 256);
    if (size > fileLimit) throw new FS.ErrnoError(fileTooLarge);
    if (open.bytes + room > openLimit) throw new FS.ErrnoError(noSpace);
    open.bytes += room - content.bytes.length;
    const more = new Uint8Array(room);
    more.set(content.bytes.subarray(0, content.size));
    content.bytes = more;
  }

  function resize(of: FsNode, size: number): void {
    const { content } = of;
    if (content === undefined) {
      if (size > fileLimit) throw new FS.ErrnoError(fileTooLarge);
      const before = call(() => files.read(pathOf(of)));
      const after = new Uint8Array(size);
      after.set(before.subarray(0, size));
      call(() => files.write(pathOf(of), after));
      return;
    }
    grow(content, size);
    content.bytes.fill(0, content.size, size);
    content.size = size;
    content.dirty = true;
    flush(of);
  }

  const nodeOps = {
    getattr(of: FsNode) {
      const stat = statOf(of);
      const size = stat.kind === "folder" ? 4096 : (of.content?.size ?? stat.size);
      const time = new Date(stat.mtime);
      return {
        dev: 1,
        ino: stat.id,
        mode: modeOf(stat),
        nlink: 1,
        uid: 0,
        gid: 0,
        rdev: 0,
        size,
        atime: time,
        mtime: time,
        ctime: time,
        blksize: 4096,
        blocks: Math.ceil(size / 512),
      };
    },
    setattr(of: FsNode, change: { mode?: number; size?: number; mtime?: number | Date; timestamp?: number | Date }) {
      const { mode, size } = change;
      const isGone = of.content?.isGone === true;
      if (mode !== undefined && !isGone) call(() => files.setMode(pathOf(of), mode & 0o7777));
      const time = change.mtime ?? change.timestamp;
      if (time !== undefined && !isGone) call(() => files.setTime(pathOf(of), Number(time)));
      if (size !== undefined) resize(of, size);
    },
    lookup: (parent: FsNode, name: string) => makeNode(parent, name, modeOf(statAt(`${pathOf(parent)}/${name}`))),
    mknod(parent: FsNode, name: string, mode: number) {
      const path = `${pathOf(parent)}/${name}`;
      call(() => (FS.isDir(mode) ? files.makeFolder(path, false) : files.write(path, new Uint8Array())));
      return makeNode(parent, name, modeOf(statAt(path)));
    },
    rename(from: FsNode, parent: FsNode, name: string) {
      flush(from);
      call(() => files.rename(pathOf(from), `${pathOf(parent)}/${name}`));
      from.name = name;
    },
    unlink(parent: FsNode, name: string) {
      call(() => files.unlink(`${pathOf(parent)}/${name}`));
      for (const each of opened)
        if (each.parent === parent && each.name === name && each.content)
          Object.assign(each.content, { isGone: true, deletedAt: Date.now() });
    },
    rmdir: (parent: FsNode, name: string) => call(() => files.removeFolder(`${pathOf(parent)}/${name}`, false)),
    readdir: (of: FsNode) => [".", "..", ...call(() => files.list(pathOf(of))).map(({ name }) => name)],
    symlink(): never {
      throw new FS.ErrnoError(138);
    },
    readlink(): never {
      throw new FS.ErrnoError(28);
    },
  };

  const streamOps = {
    open({ node: of, flags }: Stream) {
      if (FS.isDir(of.mode)) return;
      if (of.content) {
        of.content.open += 1;
        return;
      }
      const bytes = (flags & truncates) === 0 ? call(() => files.read(pathOf(of))) : new Uint8Array();
      // A copy, because the bytes belong to the shell's files.
      if (open.bytes + bytes.length > openLimit) throw new FS.ErrnoError(noSpace);
      open.bytes += bytes.length;
      of.content = { bytes: bytes.slice(), size: bytes.length, open: 1, dirty: false, isGone: false, deletedAt: 0 };
      opened.add(of);
    },
    /** `os.dup`: the two descriptors are closed separately. */
    dup({ node: of }: Stream) {
      if (of.content) of.content.open += 1;
    },
    close({ node: of }: Stream) {
      const { content } = of;
      if (!content) return;
      flush(of);
      content.open -= 1;
      if (content.open > 0) return;
      open.bytes -= content.bytes.length;
      of.content = undefined;
      opened.delete(of);
    },
    read({ node: of }: Stream, buffer: Uint8Array, offset: number, length: number, position: number): number {
      const { content } = of;
      if (!content) throw new FS.ErrnoError(31);
      const end = Math.min(content.size, position + length);
      if (end <= position) return 0;
      buffer.set(content.bytes.subarray(position, end), offset);
      return end - position;
    },
    write({ node: of }: Stream, buffer: Int8Array | Uint8Array, offset: number, length: number, position: number): number {
      const { content } = of;
      if (!content) throw new FS.ErrnoError(31);
      // Emscripten passes its memory as signed numbers.
      const chunk = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice();
      const atEnd = position === content.size && !content.dirty;
      grow(content, position + length);
      if (position > content.size) content.bytes.fill(0, content.size, position);
      content.bytes.set(chunk, position);
      content.size = Math.max(content.size, position + length);
      if (atEnd && !content.isGone) call(() => files.append(pathOf(of), chunk));
      else content.dirty = true;
      return length;
    },
    fsync: ({ node: of }: Stream) => flush(of),
    llseek(stream: Stream, offset: number, whence: number): number {
      const size = stream.node.content?.size ?? 0;
      const position = whence === 1 ? stream.position + offset : whence === 2 ? size + offset : offset;
      if (position < 0) throw new FS.ErrnoError(28);
      return position;
    },
  };

  const root = { mount: () => makeNode(null, "/", folderType | 0o755) };
  FS.mkdirTree(folder);
  FS.mount(root, {}, folder);
  return {
    flush: () => opened.forEach(flush),
    refresh() {
      for (const each of known) if (each.content === undefined) FS.hashRemoveNode(each);
      known.clear();
      for (const each of opened) {
        reread(each);
        // A deleted file can't be found by its name, but stays for the program that has it open.
        if (each.content?.isGone === true) FS.hashRemoveNode(each);
        else known.add(each);
      }
    },
  };
}
