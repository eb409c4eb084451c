import { isRule, readBlock } from "./block.ts";
import { readCall } from "./call-json.ts";
import { clean, isCleanCharacters, textRange } from "./clean.ts";
import { unescapeText } from "./escape.ts";
import { toolName } from "./ids.ts";
import { readMetaLine } from "./meta.ts";
import type { Meta, Part } from "./model.ts";

/** A range of a file that contains only parts. */
export interface Stretch {
  readonly from: number;
  /** The end of the file, or the start of a heading's line. */
  readonly to: number;
  readonly format: number | null;
  /** The ids of the calls in it, in order. Null if no block can open here. */
  readonly callIds: (() => readonly string[]) | null;
}

export interface PartsRead {
  readonly parts: readonly Part[];
  /** The range ends inside a block. */
  readonly unclosed: boolean;
}

/** The parts of a range. `place` receives the position of each part. */
export function readParts(file: string, stretch: Stretch, place?: (from: number, to: number) => void): PartsRead {
  const { to: end, format, callIds } = stretch;
  const parts: Part[] = [];
  let calls = 0;
  let unclosed = false;

  let textFrom = stretch.from;
  let escaped = false;
  const endText = (at: number): void => {
    const [from, to] = textRange(file, textFrom, at);
    if (from < to) {
      const slice = file.slice(from, to);
      const read = escaped && format !== null ? unescapeText(slice) : slice;
      const text = isCleanCharacters(read) ? read : clean(read);
      if (text !== "") {
        parts.push({ kind: "text", text });
        place?.(from, to);
      }
    }
    escaped = false;
  };

  let pos = stretch.from;
  while (pos < end) {
    const lf = file.indexOf("\n", pos);
    const first = file.charCodeAt(pos);
    if (first === BACKSLASH) escaped = true;
    if (lf < 0) break;
    if (first === ANGLE) {
      const meta = readMetaLines(file, pos);
      if (meta.end > pos) {
        endText(pos);
        parts.push({ kind: "meta", lines: meta.lines });
        place?.(pos, meta.end);
        pos = meta.end;
        textFrom = pos;
        continue;
      }
    } else if (first === DASH && callIds !== null && isRule(file, pos, lf)) {
      const block = readBlock(file, lf + 1);
      if (block !== null) {
        endText(pos);
        const id = callIds()[calls];
        if (id === undefined) throw new RangeError(`Call ${calls} of the section at ${stretch.from} has no id`);
        calls++;
        const { decision, changed, started, json } = block;
        parts.push({ kind: "call", call: readCall({ id, name: toolName(block.name), decision, changed, started }, json) });
        unclosed = block.unclosed;
        place?.(pos, block.end);
        pos = block.end;
        textFrom = pos;
        continue;
      }
    }
    pos = lf + 1;
  }
  endText(end);
  return { parts, unclosed };
}

/** The consecutive metadata lines that start at `at`. */
export function readMetaLines(file: string, at: number): { lines: Meta[]; end: number } {
  const lines: Meta[] = [];
  let end = at;
  while (file.charCodeAt(end) === ANGLE) {
    const lf = file.indexOf("\n", end);
    const read = lf < 0 ? null : readMetaLine(file, end, lf);
    if (read === null) break;
    lines.push(...read);
    end = lf + 1;
  }
  return { lines, end };
}

const DASH = 45;
const ANGLE = 62;
const BACKSLASH = 92;
