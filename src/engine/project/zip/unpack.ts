import { inflateEntry } from "../../../fs/zip/inflate.ts";
import type { ZipRefusal } from "../../../fs/zip/read.ts";
import type { Archive } from "./archive.ts";
import { type Arrival, arrive } from "./arrival.ts";

/** An archive whose contents don't match its description. Nothing of it is imported, not even the files before. */
export class RefusedArchive extends Error {
  readonly refusal: ZipRefusal;
  constructor(refusal: ZipRefusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

export interface UnpackOptions {
  readonly accept: boolean;
  readonly signal: AbortSignal;
  /** Called with the number of bytes unpacked so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** After this many bytes, other work on this thread may run. */
const restBytes = 1_000_000;

/**
 * Every file of the archive in its imported form, one after the other, each checked. Throws `RefusedArchive` at the first file that doesn't match
 * the archive's description, including the files of its history.
 */
export async function* unpack(archive: Archive, { accept, signal, onProgress }: UnpackOptions): AsyncGenerator<Arrival, void, undefined> {
  let done = 0;
  let rested = 0;
  const step = async (size: number): Promise<void> => {
    done += size;
    onProgress?.(done);
    if (done - rested < restBytes) return;
    rested = done;
    await new Promise<void>((resolve) => void setTimeout(resolve, 0));
  };
  for (const item of archive.history?.values() ?? []) {
    const inflated = await inflateEntry(item, signal);
    if (!inflated.ok) throw new RefusedArchive(inflated.refusal);
    await step(item.size);
  }
  for (const { path, item } of archive.files) {
    const inflated = await inflateEntry(item, signal);
    if (!inflated.ok) throw new RefusedArchive(inflated.refusal);
    yield arrive(path, inflated.bytes, { accept, mtime: item.mtime });
    await step(item.size);
  }
}
