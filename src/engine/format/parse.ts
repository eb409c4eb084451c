import { isRule, readBlock } from "./block.ts";
import { clean, isCleanCharacters, textRange } from "./clean.ts";
import { unescapeText } from "./escape.ts";
import { callId, toolName } from "./ids.ts";
import { readMetaLine } from "./meta.ts";
import type { Dialog, Meta, Part, Section } from "./model.ts";

/**
 * What a dialog file says. Any text is a dialog file: this never throws, and its time grows with the file's length alone.
 *
 * - Lines end at LF and nowhere else; a last line without its LF is text, whatever it reads.
 * - It looks at one line after the other and never for fences, so an unclosed fence swallows nothing.
 * - An earlier Vibey's file is read as it is: its texts are not unescaped, and its authority lines count for nothing (see `authorizedAt`).
 */
export function parseDialog(file: string): Dialog {
  return readDialog(file).dialog;
}

/** The same, and whether the file ends inside a block. */
export function readDialog(file: string): { readonly dialog: Dialog; readonly unclosed: boolean } {
  const header = readHeader(file);
  const dirty = !isCleanCharacters(file);
  const beforeSections: Part[] = [];
  const sections: Section[] = [];
  const taken = new Set<string>();
  let parts = beforeSections;
  let role: Section["role"] | null = null;
  let unclosed = false;

  let textFrom = header.end;
  let escaped = false;
  const endText = (at: number): void => {
    const [from, to] = textRange(file, textFrom, at);
    if (from < to) {
      const slice = file.slice(from, to);
      const read = escaped && header.format !== null ? unescapeText(slice) : slice;
      const text = dirty ? clean(read) : read;
      if (text !== "") parts.push({ kind: "text", text });
    }
    escaped = false;
  };

  let pos = header.end;
  while (pos < file.length) {
    const lf = file.indexOf("\n", pos);
    const first = file.charCodeAt(pos);
    if (first === BACKSLASH) escaped = true;
    if (lf < 0) break;
    if (first === HASH) {
      const opened = readHeading(file, pos, lf);
      if (opened !== null) {
        endText(pos);
        role = opened;
        parts = [];
        const head = readMetaLines(file, lf + 1);
        sections.push({ role, head: head.lines, parts });
        pos = head.end;
        textFrom = pos;
        continue;
      }
    } else if (first === ANGLE) {
      const meta = readMetaLines(file, pos);
      if (meta.end > pos) {
        endText(pos);
        parts.push({ kind: "meta", lines: meta.lines });
        pos = meta.end;
        textFrom = pos;
        continue;
      }
    } else if (first === DASH && role === "assistant" && isRule(file, pos, lf)) {
      const block = readBlock(file, lf + 1);
      if (block !== null) {
        endText(pos);
        const id = callId(block.id, taken.size + 1, (other) => taken.has(other));
        taken.add(id);
        const { input, decision, started, result } = block;
        parts.push({ kind: "call", call: { id, name: toolName(block.name), input, decision, started, result } });
        unclosed = block.unclosed;
        pos = block.end;
        textFrom = pos;
        continue;
      }
    }
    pos = lf + 1;
  }
  endText(file.length);

  const start = header.format === null ? earlierStart(beforeSections) : { head: header.head, parts: beforeSections };
  return { dialog: { format: header.format, ...start, sections }, unclosed };
}

const HASH = 35;
const DASH = 45;
const ANGLE = 62;
const BACKSLASH = 92;

const FORMAT = "> Format: ";
const NUMBER = /^(?:0|[1-9][0-9]{0,8})$/;

/** The header up to its first line that is no metadata; of an earlier file only `# Dialog`. */
function readHeader(file: string): { format: number | null; head: readonly Meta[]; end: number } {
  const title = "# Dialog\n";
  if (!file.startsWith(title)) return { format: null, head: [], end: 0 };
  const lf = file.indexOf("\n", title.length);
  const format = lf >= 0 && file.startsWith(FORMAT, title.length) ? file.slice(title.length + FORMAT.length, lf) : "";
  if (!NUMBER.test(format)) return { format: null, head: [], end: title.length };
  const { lines, end } = readMetaLines(file, lf + 1);
  return { format: Number(format), head: lines.filter(({ key }) => key !== "Format"), end };
}

/** An earlier Vibey put a blank line, and sometimes a comment, between `# Dialog` and what belongs to it. */
function earlierStart(parts: readonly Part[]): { head: readonly Meta[]; parts: readonly Part[] } {
  const head = parts.flatMap((part) => (part.kind === "meta" ? part.lines : [])).filter(({ key }) => key !== "Format");
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  return { head, parts: text === "" ? [] : [{ kind: "text", text }] };
}

function readHeading(file: string, from: number, to: number): Section["role"] | null {
  if (to - from === 7 && file.startsWith("## User", from)) return "user";
  if (to - from === 12 && file.startsWith("## Assistant", from)) return "assistant";
  return null;
}

/** The metadata lines that follow each other from `at` on. */
function readMetaLines(file: string, at: number): { lines: Meta[]; end: number } {
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
