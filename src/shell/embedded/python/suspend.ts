import type { EmscriptenFileSystem } from "./mount.ts";

/** Sends a program's request to the shell. The program reads the answer from a device. */
export type Ask = (request: string) => Promise<Uint8Array>;

type Import = (...args: readonly never[]) => unknown;

/** Lets WebAssembly wait for JavaScript. Null: this browser can't (so far Firefox and Safari). */
export const suspends: {
  readonly suspending: (wait: (...args: readonly unknown[]) => unknown) => Import;
  readonly promising: (entry: unknown) => (text: number) => Promise<unknown>;
} | null = findSuspends();

function findSuspends(): typeof suspends {
  const Suspending: unknown = Reflect.get(WebAssembly, "Suspending");
  const promising: unknown = Reflect.get(WebAssembly, "promising");
  if (typeof Suspending !== "function" || typeof promising !== "function") return null;
  return {
    suspending: (wait) => Reflect.construct(Suspending, [wait]),
    promising: (entry) => Reflect.apply(promising, WebAssembly, [entry]),
  };
}

/** The device's major number, which Emscripten's own devices don't use. */
const major = 70;

/** Passes on requests from Python's memory, and holds each answer until the program has read it from `/dev/vibey`. */
export function createAnswers(ask: Ask | null) {
  /** Answers that were not read yet. A signal's handler may make a request before the answer to the interrupted one was read. */
  const unread: Uint8Array[] = [];
  const answers = {
    /** Python's memory, which is replaced when it grows. */
    memory: (): ArrayBufferLike => new ArrayBuffer(0),
    makeDevice(FS: EmscriptenFileSystem): void {
      const device = FS.makedev(major, 0);
      FS.registerDevice(device, {
        read(_stream: unknown, buffer: Uint8Array, offset: number, length: number): number {
          const answer = unread.pop() ?? new Uint8Array();
          const part = answer.subarray(0, length);
          buffer.set(part, offset);
          if (part.length < answer.length) unread.push(answer.subarray(part.length));
          return part.length;
        },
      });
      FS.mkdev("/dev/vibey", 0o444, device);
    },
    /** `text`: the request's address. Resolves to the number of bytes to read. */
    ask:
      ask &&
      (async (text: number): Promise<number> => {
        const all = new Uint8Array(answers.memory());
        const request = new TextDecoder().decode(all.slice(text, all.indexOf(0, text)));
        const answer = await ask(request);
        unread.push(answer);
        return answer.length;
      }),
  };
  return answers;
}
