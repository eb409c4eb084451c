import { joinBytes } from "../../../fs/bytes.ts";
/** UTF-8 bytes a program may print before it is ended: below where just-bash would throw all of it away. */
export const printLimit = 32 * 1024 * 1024;
export const tooMuch = `node: stopped after printing more than ${printLimit / 1024 / 1024} MB`;

/** The same for what another program reads as it comes. */
export const pipeLimit = 512 * 1024 * 1024;
export const tooMuchPiped = `node: stopped after printing more than ${pipeLimit / 1024 / 1024} MB`;

export type Stream = "stdout" | "stderr";

/** Collects what a program prints. `live` hears it at once. */
export function createOutput(live?: (stream: Stream, text: string) => void) {
  const chunks: Record<Stream, Uint8Array[]> = { stdout: [], stderr: [] };
  let total = 0;
  function keep(stream: Stream, printed: string | Uint8Array, bytes: Uint8Array): void {
    chunks[stream].push(bytes);
    live?.(stream, typeof printed === "string" ? printed : new TextDecoder().decode(printed));
  }
  const encode = (printed: string | Uint8Array) => (typeof printed === "string" ? new TextEncoder().encode(printed) : printed);
  return {
    /** False: it is too much, and the program has to end. What it prints until then is not kept. */
    print(stream: Stream, printed: string | Uint8Array): boolean {
      if (total > printLimit) return false;
      const bytes = encode(printed);
      total += bytes.length;
      keep(stream, printed, bytes);
      return total <= printLimit;
    },
    /** Says why the program ended, however much it had printed. */
    explain(text: string): void {
      keep("stderr", text, encode(text));
    },
    /** Counts what is printed later, from a report. False: as above. */
    reported(json: string): boolean {
      total += json.length;
      return total <= printLimit;
    },
    /** A text where the bytes are one. */
    stdout(): string | Uint8Array {
      const bytes = joinBytes(chunks.stdout);
      try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        // That is the answer: these are bytes.
        return bytes;
      }
    },
    stderr: (): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(joinBytes(chunks.stderr)),
  };
}
