import JSZip from "jszip";

export interface ZipEntry {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

export interface ZipOptions {
  readonly signal?: AbortSignal;
  /** From 0 to 1, as the zip grows. */
  readonly onProgress?: (part: number) => void;
}

/**
 * A zip of some files.
 *
 * - The same files give the same bytes, in whatever order they come, in any time zone and on any machine.
 * - Names are UTF-8, and there is no entry but the files.
 * - An entry's time has two seconds' precision, and lies between 1980 and 2107: the format knows no other.
 * - Two entries with one path are a programmer's mistake and throw.
 * - After `signal` aborts it rejects with the signal's reason.
 */
export async function zipFiles(files: readonly ZipEntry[], options: ZipOptions = {}): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const reader = zipStream(files, options).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(pieces);
    pieces.push(value);
  }
}

/** The same bytes as a stream, made as fast as they are read. */
export function zipStream(files: readonly ZipEntry[], options: ZipOptions = {}): ReadableStream<Uint8Array> {
  const { signal, onProgress } = options;
  const source = archive(files).generateInternalStream({
    type: "uint8array",
    platform: "DOS",
    compression: "DEFLATE",
    compressionOptions: { level: 6 },
    streamFiles: false,
  });
  const left = new AbortController();
  const leave = () => {
    source.pause();
    left.abort();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      source.on("data", (piece, { percent }) => {
        if (left.signal.aborted) return;
        controller.enqueue(piece);
        onProgress?.(percent / 100);
        if ((controller.desiredSize ?? 0) <= 0) source.pause();
      });
      // The source may end or fail a moment after the reader has left: then there is nobody to tell.
      source.on("end", () => {
        if (left.signal.aborted) return;
        leave();
        onProgress?.(1);
        controller.close();
      });
      source.on("error", (error) => {
        if (left.signal.aborted) return;
        leave();
        controller.error(error);
      });
      const onAbort = () => {
        leave();
        controller.error(signal?.reason);
      };
      if (signal?.aborted) onAbort();
      else signal?.addEventListener("abort", onAbort, { signal: left.signal });
    },
    pull() {
      if (!left.signal.aborted) source.resume();
    },
    cancel: leave,
  });
}

/** What is compressed already: packing it again costs time and saves nothing. */
const packed = /\.(?:png|jpe?g|gif|webp|avif|mp3|mp4|webm|ogg|woff2?|zip|gz|pdf)$/i;

function archive(files: readonly ZipEntry[]): JSZip {
  const zip = new JSZip();
  const paths = new Set<string>();
  for (const { path, bytes, mtime } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    if (paths.has(path)) throw new Error(`two entries of a zip are named ${path}`);
    paths.add(path);
    zip.file(path, bytes, {
      binary: true,
      // Folders would be entries of their own, dated now.
      createFolders: false,
      date: zipDate(mtime),
      compression: packed.test(path) ? "STORE" : "DEFLATE",
    });
  }
  return zip;
}

const earliest = Date.UTC(1980, 0, 1);
const latest = Date.UTC(2107, 11, 31, 23, 59, 58);

function zipDate(mtime: number): Date {
  return new Date(Math.min(Math.max(mtime, earliest), latest));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
