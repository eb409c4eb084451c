/**
 * Cuts a body of server-sent events at the borders of its events.
 *
 * An SDK that looks for the end of an event from the start of all it holds, and copies the rest behind each, takes time
 * with the square of what comes in one piece. Given one event at a time it has nothing to search and nothing to copy.
 *
 * - Every byte is given back once, in its order. What is no stream of events comes as one piece at the end.
 * - Each byte is looked at once and copied at most once, however the network cut them.
 */
export interface Cutter {
  push(piece: Uint8Array): void;
  /** The next whole event with the blank line that ends it; null: none is whole yet. */
  next(): Uint8Array | null;
  /** What is left when the body has ended. */
  rest(): Uint8Array | null;
}

const lf = 0x0a;
const cr = 0x0d;

export function createCutter(): Cutter {
  /** Pieces of an event whose end has not come. */
  let held: Uint8Array[] = [];
  let piece: Uint8Array = new Uint8Array();
  /** In `piece`: where the part that was not given yet starts, and where to look on. */
  let from = 0;
  let at = 0;
  let lineIsEmpty = true;
  /** The last byte was a CR, which ended a line; an LF right behind it belongs to it. */
  let behindCR = false;

  /** Behind the end of the next event in `piece`; null when there is none. */
  function border(): number | null {
    while (at < piece.length) {
      const byte = piece[at++];
      if (byte === lf && behindCR) {
        behindCR = false;
        continue;
      }
      behindCR = byte === cr;
      if (byte !== lf && byte !== cr) lineIsEmpty = false;
      else if (!lineIsEmpty) lineIsEmpty = true;
      else {
        if (behindCR && piece[at] === lf) {
          at++;
          behindCR = false;
        }
        return at;
      }
    }
    return null;
  }

  function take(end: number): Uint8Array {
    const last = piece.subarray(from, end);
    from = end;
    if (held.length === 0) return last;
    const parts = [...held, last];
    held = [];
    return joined(parts);
  }

  return {
    push(next) {
      if (from < piece.length) held.push(piece.subarray(from));
      piece = next;
      from = 0;
      at = 0;
    },
    next() {
      const end = border();
      return end === null ? null : take(end);
    },
    rest() {
      const rest = take(piece.length);
      return rest.length === 0 ? null : rest;
    },
  };
}

/**
 * An event that has no data, or nothing in it: by the rules of server-sent events it is none, and an SDK that reads its data all the same
 * finds no JSON there.
 */
export function isWithoutData(event: Uint8Array): boolean {
  if (event.length > maxOfNamed) return false;
  const lines = linesOf(event);
  return lines.some((line) => /^(?:event|data)(?::|$)/.test(line)) && dataOf(lines).trim() === "";
}

/** Bytes; what is longer is no name alone. */
const maxOfNamed = 1_000;

/** Whether the data of an event is a whole JSON value, so that nothing of it is missing although the body ended before its blank line. */
export function hasWholeData(event: Uint8Array): boolean {
  const data = dataOf(linesOf(event));
  if (data.trim() === "") return false;
  try {
    JSON.parse(data);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Whether a body that begins so is a stream of events. JSON and HTML begin otherwise. */
export function beginsAsEvents(piece: Uint8Array): boolean {
  const text = new TextDecoder().decode(piece.subarray(0, 16)).trimStart();
  return text !== "" && [":", "data:", "event:", "id:", "retry:"].some((field) => text.startsWith(field) || field.startsWith(text));
}

export function linesOf(event: Uint8Array): string[] {
  return new TextDecoder().decode(event).split(/\r\n|\r|\n/);
}

export function dataOf(lines: readonly string[]): string {
  // A line may hold U+2028, which ends none here.
  return lines.flatMap((line) => (line.startsWith("data:") ? line.slice("data:".length) : [])).join("\n");
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
