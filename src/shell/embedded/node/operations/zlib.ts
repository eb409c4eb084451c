import pako, { type Stream } from "pako";
import { joinBytes } from "../../../../fs/bytes.ts";
import { copyOf, InsideError, number, type Operations, text } from "../plain.ts";

const finish = 4;
const syncFlush = 2;

/** Maximum bytes of output for one piece of input; the error message names it. */
const outputLimit = 256 * 1024 * 1024;

const errorCodes: Readonly<Record<number, string>> = {
  [2]: "Z_NEED_DICT",
  [-2]: "Z_STREAM_ERROR",
  [-3]: "Z_DATA_ERROR",
  [-5]: "Z_BUF_ERROR",
};

interface Options {
  readonly level?: number;
  readonly windowBits?: number;
  readonly memLevel?: number;
  readonly strategy?: number;
}

/** Takes a piece of input and zlib's flush mode; returns the output. */
type Push = (input: Uint8Array, flush: number) => Uint8Array;

function failure(code: number, message: string): InsideError {
  return new InsideError(errorCodes[code] ?? "Z_ERRNO", code === 2 ? "Missing dictionary" : message || "unknown zlib error");
}

/** Collects the output of one of the library's streams. */
function gather(stream: Stream): () => Uint8Array {
  let pieces: Uint8Array[] = [];
  let size = 0;
  stream.onData = (piece) => {
    size += piece.length;
    if (size > outputLimit)
      throw new InsideError("ERR_BUFFER_TOO_LARGE", `Cannot create a Buffer larger than ${outputLimit} bytes`, "RangeError");
    pieces.push(piece);
  };
  return () => {
    const joined = joinBytes(pieces);
    pieces = [];
    size = 0;
    return joined;
  };
}

function deflater(kind: string, options: Options, dictionary: Uint8Array | null): Push {
  const stream = new pako.Deflate({
    ...options,
    gzip: kind === "gzip",
    raw: kind === "deflateRaw",
    ...(dictionary ? { dictionary } : {}),
  });
  const taken = gather(stream);
  let isFlushed = false;
  return (input, flush) => {
    // The library fails if there is nothing to do.
    if (input.length === 0 && flush !== finish && (flush === 0 || isFlushed)) return taken();
    isFlushed = flush !== 0;
    // The library outputs all available data only in this mode.
    stream.push(input, flush === 0 || flush === finish ? flush : syncFlush);
    if (stream.err !== 0) throw failure(stream.err, stream.msg);
    return taken();
  };
}

function inflater(kind: string, options: Options, dictionary: Uint8Array | null): Push {
  const bits = options.windowBits ?? 15;
  const begin = (): Stream =>
    new pako.Inflate({
      ...(kind === "inflateRaw"
        ? { raw: true, windowBits: bits }
        : kind === "inflate"
          ? { windowBits: bits }
          : kind === "gunzip"
            ? { windowBits: 31 }
            : {}),
      ...(dictionary ? { dictionary } : {}),
    });
  let stream = begin();
  let taken = gather(stream);
  let status = 0;
  let ended = false;
  let over = false;
  /** Whether several compressed files may follow one another. */
  let several: boolean | null = null;
  return (input, flush) => {
    const pieces: Uint8Array[] = [];
    several ??= input.length === 0 ? null : kind === "gunzip" || (kind === "unzip" && input[0] === 0x1f);
    for (let rest = input; rest.length > 0 && !over; ) {
      if (ended) {
        // As in Node, zeros after the last file are ignored.
        over = several !== true || rest[0] === 0;
        if (over) break;
        stream = begin();
        taken = gather(stream);
      }
      stream.onEnd = (came) => {
        status = came;
      };
      status = 0;
      stream.push(rest, 0);
      const { ended: closed, strm } = stream;
      // Running out of input is not an error yet.
      if (status !== 0 && status !== -5) throw failure(status, strm.msg);
      pieces.push(taken());
      ended = closed && status === 0;
      if (!ended && strm.output !== null && strm.avail_out > 0) {
        // Output that the library keeps until it has more.
        pieces.push(strm.output.slice(0, strm.next_out));
        strm.avail_out = 0;
        strm.next_out = 0;
      }
      rest = rest.subarray(rest.length - strm.avail_in);
    }
    if (flush === finish && !ended) throw failure(-5, "unexpected end of file");
    return joinBytes(pieces);
  };
}

/** zlib's streams of a program, each identified by a number. */
export function zlibOperations(): Operations {
  const streams = new Map<number, Push>();
  let last = 0;
  return {
    "zlib.open": (kind, options, dictionary) => {
      const given: unknown = JSON.parse(text(options));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the runtime inside has checked them.
      const checked = given as Options;
      const make = text(kind) === "gzip" || text(kind).startsWith("deflate") ? deflater : inflater;
      streams.set(++last, make(text(kind), checked, dictionary === null ? null : copyOf(dictionary)));
      return last;
    },
    "zlib.push": (id, input, flush) => {
      const push = streams.get(number(id));
      if (!push) throw new InsideError("ERR_INTERNAL_ASSERTION", "zlib binding closed");
      return push(copyOf(input), number(flush));
    },
    "zlib.close": (id) => void streams.delete(number(id)),
  };
}
