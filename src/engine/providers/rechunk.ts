/**
 * Cuts a body of server-sent events into its events.
 *
 * An SDK that searches its whole buffer for the end of an event, and copies the rest after each event, needs quadratic time
 * for a large piece. If it gets one event at a time, it has nothing to search and nothing to copy.
 *
 * - Every byte is returned once, in order. A body that isn't a stream of events comes as one piece at the end.
 * - Each byte is read once and copied at most once, however the network cut the body.
 */
export interface Cutter {
  push(piece: Uint8Array): void;
  /** The next complete event, with the blank line that ends it. Null: no event is complete yet. */
  next(): Uint8Array | null;
  /** What is left when the body has ended. Null: nothing. */
  rest(): Uint8Array | null;
}

const lf = 0x0a;
const cr = 0x0d;

export function createCutter(): Cutter {
  /** Pieces of an event whose end has not arrived. */
  let held: Uint8Array[] = [];
  let piece: Uint8Array = new Uint8Array();
  /** Positions in `piece`: the first byte that was not returned yet, and the next byte to read. */
  let from = 0;
  let at = 0;
  let lineIsEmpty = true;
  /** The last byte was a CR, which ended a line. An LF directly after it belongs to the same line break. */
  let behindCR = false;

  /** The position after the next event in `piece`. Null if there is none. */
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
 * Whether an event has no data, or only empty data. By the rules of server-sent events, that is no event, and an SDK that reads its data
 * nevertheless finds no JSON there.
 */
export function isWithoutData(event: Uint8Array): boolean {
  if (event.length > maxOfNamed) return false;
  const lines = linesOf(event);
  return lines.some((line) => /^(?:event|data)(?::|$)/.test(line)) && dataOf(lines).trim() === "";
}

/** The most bytes of an event without data. */
const maxOfNamed = 1_000;

/** Whether an event's data is a complete JSON value. Then nothing is missing, even if the body ended before the event's blank line. */
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

/** Whether a body that begins like this is a stream of events. JSON and HTML begin differently. */
export function beginsAsEvents(piece: Uint8Array): boolean {
  const text = new TextDecoder().decode(piece.subarray(0, 16)).trimStart();
  return text !== "" && [":", "data:", "event:", "id:", "retry:"].some((field) => text.startsWith(field) || field.startsWith(text));
}

export function linesOf(event: Uint8Array): string[] {
  return new TextDecoder().decode(event).split(/\r\n|\r|\n/);
}

export function dataOf(lines: readonly string[]): string {
  // A line may contain U+2028, which doesn't end a line here.
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
