import { joinBytes } from "../../../fs/bytes.ts";
/** UTF-8 bytes that a program may print before it is ended: less than the limit at which just-bash would discard all of it. */
export const printLimit = 32 * 1024 * 1024;
export const tooMuch = `node: stopped after printing more than ${printLimit / 1024 / 1024} MB`;

/** The same limit for output that another program reads as it comes. */
export const pipeLimit = 512 * 1024 * 1024;
export const tooMuchPiped = `node: stopped after printing more than ${pipeLimit / 1024 / 1024} MB`;

export type Stream = "stdout" | "stderr";

/** Collects what a program prints. `live` receives it at once. */
export function createOutput(live?: (stream: Stream, text: string) => void) {
  const chunks: Record<Stream, Uint8Array[]> = { stdout: [], stderr: [] };
  let total = 0;
  function keep(stream: Stream, printed: string | Uint8Array, bytes: Uint8Array): void {
    chunks[stream].push(bytes);
    live?.(stream, typeof printed === "string" ? printed : new TextDecoder().decode(printed));
  }
  const encode = (printed: string | Uint8Array) => (typeof printed === "string" ? new TextEncoder().encode(printed) : printed);
  return {
    /** False: it printed too much and must end. What it prints until then is not kept. */
    print(stream: Stream, printed: string | Uint8Array): boolean {
      if (total > printLimit) return false;
      const bytes = encode(printed);
      total += bytes.length;
      keep(stream, printed, bytes);
      return total <= printLimit;
    },
    /** Prints why the program ended, even beyond the limit. */
    explain(text: string): void {
      keep("stderr", text, encode(text));
    },
    /** Counts output that is printed later, from a report. False: it is too much. */
    reported(json: string): boolean {
      total += json.length;
      return total <= printLimit;
    },
    /** Returns a string if the bytes are valid UTF-8, else the bytes. */
    stdout(): string | Uint8Array {
      const bytes = joinBytes(chunks.stdout);
      try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        // The bytes are not valid UTF-8.
        return bytes;
      }
    },
    stderr: (): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(joinBytes(chunks.stderr)),
  };
}
