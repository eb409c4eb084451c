import { joinBytes } from "../../../fs/bytes.ts";
import { type Fields, fieldsOf, readTime, secondsOf } from "./time.ts";

/** The environment of a C program. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: readonly string[];
  readonly stdin: Uint8Array;
  /** By absolute path; "folder" stands for a folder. */
  readonly files: ReadonlyMap<string, Uint8Array | "folder">;
  readonly resolve: (path: string) => string;
  readonly now: () => number;
}

/** Thrown when the program exits. */
class Exit {
  readonly code: number;
  constructor(code: number) {
    this.code = code;
  }
}

export interface Ended {
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly exitCode: number;
}

/** WASI's error numbers. */
const errors = { badFile: 8, exists: 20, invalid: 28, isFolder: 31, missing: 44, notTerminal: 59, readOnly: 69, seek: 70 };
const pageSize = 65_536;

interface Open {
  readonly bytes: Uint8Array;
  at: number;
}

/** The exports of jq-wasm 1.0.1, whose names Emscripten has shortened. */
interface Exports {
  readonly E: WebAssembly.Memory;
  readonly F: () => void;
  readonly G: (argc: number, argv: number) => number;
  readonly I: (high: number) => void;
  readonly J: (size: number) => number;
}

/** Runs a program built by Emscripten that reads files, writes to stdout and stderr, and asks for the time. `most`: its maximum memory in bytes. */
export function runProgram(module: WebAssembly.Module, words: readonly string[], around: Surroundings, most: number): Ended {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const opened = new Map<number, Open>([[0, { bytes: around.stdin, at: 0 }]]);
  let lastDescriptor = 2;

  const bytes = (): Uint8Array => new Uint8Array(exports.E.buffer);
  const view = (): DataView => new DataView(exports.E.buffer);
  const get = (at: number): number => view().getInt32(at, true);
  const set = (at: number, value: number): void => view().setInt32(at, value, true);
  const text = (at: number): string => {
    const memory = bytes();
    return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
  };
  const encode = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`);
  const number = (low: number, high: number): number => (low >>> 0) + high * 2 ** 32;

  function find(path: string): Uint8Array | "folder" | null {
    if (path === "") return null;
    const at = around.resolve(path);
    return at === "/" ? "folder" : (around.files.get(at) ?? null);
  }
  function stat(path: string, to: number): number {
    const found = find(path);
    return found === null ? -errors.missing : writeStat(to, found === "folder" ? null : found.length);
  }
  /** `size` null: a folder. */
  function writeStat(to: number, size: number | null): number {
    bytes().fill(0, to, to + 96);
    set(to + 4, size === null ? 0o040755 : 0o100644);
    set(to + 8, 1);
    set(to + 24, size ?? 0);
    set(to + 32, 4096);
    return 0;
  }
  function tmOf(at: number): Fields {
    const [second, minute, hour, day, month, year, weekday, yearDay] = Array.from({ length: 8 }, (_, i) => get(at + 4 * i));
    return {
      second: second ?? 0,
      minute: minute ?? 0,
      hour: hour ?? 0,
      day: day ?? 0,
      month: month ?? 0,
      year: (year ?? 0) + 1900,
      weekday: weekday ?? 0,
      yearDay: yearDay ?? 0,
    };
  }
  function writeTm(at: number, fields: Fields): void {
    const { second, minute, hour, day, month, year, weekday, yearDay } = fields;
    for (const [i, value] of [second, minute, hour, day, month, year - 1900, weekday, yearDay, 0, 0].entries()) set(at + 4 * i, value);
  }
  function broken(why: string): never {
    throw new Error(`jq broke down: ${why}`);
  }
  const exit = (code: number): never => {
    throw new Exit(code);
  };
  const imports: Record<string, (...args: number[]) => number | void> = {
    /** __assert_fail */
    a: (what = 0) => broken(text(what)),
    /** exit */
    b: (code = 0) => exit(code),
    /** fd_close */
    c: (descriptor = 0) => {
      opened.delete(descriptor);
      return 0;
    },
    /** fd_write */
    d(descriptor = 0, vectors = 0, count = 0, written = 0) {
      const to = descriptor === 1 ? out : descriptor === 2 ? err : null;
      if (to === null) return errors.badFile;
      let total = 0;
      for (let i = 0; i < count; i++) {
        const [from, length] = [get(vectors + 8 * i), get(vectors + 8 * i + 4)];
        to.push(bytes().slice(from, from + length));
        total += length;
      }
      set(written, total);
      return 0;
    },
    /** fcntl64 */
    e: () => 0,
    /** openat */
    f(_folder, path = 0, flags = 0) {
      const name = text(path);
      const found = name === "/dev/stdin" ? around.stdin : find(name);
      if (found === null) return -errors.missing;
      if (found === "folder") return -errors.isFolder;
      // O_WRONLY and O_RDWR.
      if ((flags & 3) !== 0) return -errors.readOnly;
      opened.set(++lastDescriptor, { bytes: found, at: 0 });
      return lastDescriptor;
    },
    /** fd_read */
    g(descriptor = 0, vectors = 0, count = 0, done = 0) {
      const file = opened.get(descriptor);
      if (file === undefined) return errors.badFile;
      let total = 0;
      for (let i = 0; i < count; i++) {
        const [to, length] = [get(vectors + 8 * i), get(vectors + 8 * i + 4)];
        const part = file.bytes.subarray(file.at, file.at + length);
        bytes().set(part, to);
        file.at += part.length;
        total += part.length;
      }
      set(done, total);
      return 0;
    },
    /** ioctl: nothing here is a terminal. */
    h: () => -errors.notTerminal,
    /** environ_get */
    i(pointers = 0, buffer = 0) {
      let at = buffer;
      for (const [i, each] of around.env.entries()) {
        set(pointers + 4 * i, at);
        const encoded = encode(each);
        bytes().set(encoded, at);
        at += encoded.length;
      }
      return 0;
    },
    /** environ_sizes_get */
    j(count = 0, size = 0) {
      set(count, around.env.length);
      set(
        size,
        around.env.reduce((sum, each) => sum + encode(each).length, 0),
      );
      return 0;
    },
    /** gmtime, localtime */
    k: (low = 0, high = 0, to = 0) => writeTm(to, fieldsOf(number(low, high))),
    l: (low = 0, high = 0, to = 0) => writeTm(to, fieldsOf(number(low, high))),
    /** timegm */
    m(at = 0) {
      const seconds = secondsOf(tmOf(at));
      writeTm(at, fieldsOf(seconds));
      exports.I(Math.floor(seconds / 2 ** 32));
      return seconds | 0;
    },
    /** fd_seek */
    n(descriptor = 0, low = 0, high = 0, whence = 0, to = 0) {
      const file = opened.get(descriptor);
      if (file === undefined || descriptor === 0) return errors.seek;
      const base = whence === 0 ? 0 : whence === 1 ? file.at : file.bytes.length;
      file.at = Math.max(0, base + number(low, high));
      set(to, file.at);
      set(to + 4, 0);
      return 0;
    },
    /** emscripten_resize_heap */
    o(wanted = 0) {
      const size = wanted >>> 0;
      const now = exports.E.buffer.byteLength;
      if (size > most) return 0;
      const goal = Math.min(most, Math.max(size, now * 1.2));
      exports.E.grow(Math.ceil((goal - now) / pageSize));
      return 1;
    },
    /** readlinkat */
    p: () => -errors.invalid,
    /** getcwd */
    q(to = 0) {
      const encoded = encode(around.cwd);
      bytes().set(encoded, to);
      return encoded.length;
    },
    /** __call_sighandler */
    r: () => undefined,
    /** proc_exit */
    s: (code = 0) => exit(code),
    /** _emscripten_runtime_keepalive_clear */
    t: () => undefined,
    /** strptime */
    u(value = 0, format = 0, to = 0) {
      const given = text(value);
      const read = readTime(given, text(format), tmOf(to));
      if (read === null) return 0;
      writeTm(to, read.fields);
      return value + encode(given.slice(0, read.end)).length - 1;
    },
    /** tzset */
    v(zone = 0, daylight = 0, standard = 0, summer = 0) {
      set(zone, 0);
      set(daylight, 0);
      for (const to of [standard, summer]) bytes().set(encode("UTC"), to);
    },
    /** fd_fdstat_get: every descriptor is a plain file. */
    w(_descriptor, to = 0) {
      bytes().fill(0, to, to + 24);
      bytes()[to] = 4;
      return 0;
    },
    /** lstat64, newfstatat, stat64, fstat64 */
    x: (path = 0, to = 0) => stat(text(path), to),
    y: (_folder, path = 0, to = 0) => stat(text(path), to),
    z: (path = 0, to = 0) => stat(text(path), to),
    A: (descriptor = 0, to = 0) => writeStat(to, opened.get(descriptor)?.bytes.length ?? 0),
    /** emscripten_date_now */
    B: () => around.now(),
    /** _emscripten_memcpy_js */
    C: (to = 0, from = 0, count = 0) => void bytes().copyWithin(to, from, from + count),
    /** _abort_js */
    D: () => broken("aborted"),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the exports of this module; the command's tests check their names.
  const exports = new WebAssembly.Instance(module, { a: imports }).exports as unknown as Exports;
  exports.F();
  const encoded = words.map(encode);
  const argv = exports.J(4 * (words.length + 1));
  for (const [i, word] of encoded.entries()) {
    const at = exports.J(word.length);
    bytes().set(word, at);
    set(argv + 4 * i, at);
  }
  set(argv + 4 * words.length, 0);
  let exitCode: number;
  try {
    exitCode = exports.G(words.length, argv);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    exitCode = error.code;
  }
  return { stdout: joinBytes(out), stderr: joinBytes(err), exitCode: exitCode & 0xff };
}
