import type { IFileSystem } from "just-bash/browser";
import { joinBytes } from "../../fs/bytes.ts";
import { toBytesOf } from "./stray-bytes.ts";
import type { Stream } from "./places.ts";

/** A command's complete output to each stream that goes to the file, as bytes. */
export type Ended = readonly (readonly [Stream, Uint8Array])[];

/** A file that is open for a command's output while the command runs. */
export interface FileSink {
  /** Appends text, in order. */
  print(stream: Stream, text: string): void;
  /** Appends the part of the result that was not printed yet, and settles when everything is in the file. Rejects if the file can't be written. */
  finish(ended: Ended): Promise<void>;
}

type Files = Pick<IFileSystem, "appendFile" | "writeFile" | "readFileBuffer" | "exists">;

/**
 * `start`: the size of the file in bytes before the command. After `ended` aborts nothing more is printed; what was printed before stays.
 *
 * The result decides what the file contains. What was printed should be its beginning, stream by stream, and then only the rest is appended. A file
 * that was removed in the meantime is not created again. If the result is shorter than what was printed, it was cut off, and what was printed stays.
 */
export function createFileSink(files: Files, path: string, start: number, ended: AbortSignal): FileSink {
  const printed = { stdout: "", stderr: "" };
  /** A program printed something that is not text: its bytes are written at the end. */
  const isBinary = { stdout: false, stderr: false };
  let waiting: Uint8Array[] = [];
  let appended = 0;
  let failed: { readonly error: unknown } | null = null;
  let work: Promise<void> | null = null;

  async function workOff(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const isThere = await files.exists(path);
        const bytes = joinBytes(waiting);
        waiting = [];
        if (!isThere) continue;
        await files.appendFile(path, bytes);
        appended += bytes.length;
      }
    } catch (error) {
      failed ??= { error };
      waiting = [];
    }
    // Set right after the last check: whatever is printed now starts new work.
    work = null;
  }

  function append(bytes: Uint8Array): void {
    if (failed !== null || bytes.length === 0) return;
    waiting.push(bytes);
    work ??= workOff();
  }

  async function settled(): Promise<void> {
    await work;
    if (failed !== null) throw failed.error;
  }

  /** What was shown may lack a part in its middle. If no one else wrote to the file, the result replaces it. */
  async function replace(all: Ended): Promise<void> {
    await settled();
    if (!(await files.exists(path))) return;
    const now = await files.readFileBuffer(path);
    if (now.length === start + appended) {
      await files.writeFile(path, now.slice(0, start));
      for (const [, bytes] of all) append(bytes);
    } else for (const [stream, bytes] of all) append(bytes.slice(commonStart(toBytesOf(printed[stream]), bytes)));
  }

  return {
    print(stream, text) {
      if (ended.aborted || failed !== null || isBinary[stream]) return;
      if (text.includes("\u{fffd}")) isBinary[stream] = true;
      else {
        printed[stream] += text;
        append(toBytesOf(text));
      }
    },
    async finish(all) {
      if (!ended.aborted) {
        const rests = all.map(([stream, bytes]) => ({ bytes, known: toBytesOf(printed[stream]) }));
        if (rests.every(({ bytes, known }) => commonStart(known, bytes) === Math.min(known.length, bytes.length)))
          for (const { bytes, known } of rests) append(bytes.slice(known.length));
        else if (rests.every(({ bytes, known }) => bytes.length >= known.length)) await replace(all);
      }
      await settled();
    },
  };
}

/** The number of equal bytes at the start of both. */
function commonStart(one: Uint8Array, other: Uint8Array): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
