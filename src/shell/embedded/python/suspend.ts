import type { EmscriptenFileSystem } from "./mount.ts";

/** What a program asks of the shell. The answer is read from a device. */
export type Ask = (request: string) => Promise<Uint8Array>;

type Import = (...args: readonly never[]) => unknown;

/** How WebAssembly waits for JavaScript; null: this browser can't do that (Firefox and Safari, so far). */
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

/** The device's number, which Emscripten's own devices don't have. */
const major = 70;

/** Hands requests over from Python's memory, and keeps the answer until the program has read it from `/dev/vibey`. */
export function createAnswers(ask: Ask | null) {
  /** What was not read yet. A signal's handler may ask before the answer to what it interrupted was read. */
  const unread: Uint8Array[] = [];
  const answers = {
    /** Python's memory, which moves as it grows. */
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
    /** `text`: where it begins. Answered with the number of bytes there are to read. */
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
