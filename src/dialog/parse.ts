import { fileSections, type Places } from "./file-sections.ts";
import type { Dialog, Meta, Part } from "./model.ts";
import { readMetaLines, readParts } from "./read-parts.ts";
import { dialogOf } from "./sections.ts";

/**
 * What a dialog file says. Any text is a dialog file: this never throws, and its time grows with the file's length alone.
 *
 * - Lines end at LF and nowhere else; a last line without its LF is text, whatever it reads.
 * - It looks at one line after the other and never for fences, so an unclosed fence swallows nothing.
 * - An earlier Vibey's file is read as it is: its texts are not unescaped, and its authority lines count for nothing (see `authorizedAt`).
 * - A section is read when it is asked for, and all of them by `dialog.sections`.
 */
export function parseDialog(file: string): Dialog {
  return readDialog(file).dialog;
}

/** The same, and whether the file ends inside a block. */
export function readDialog(file: string, places?: Places): { readonly dialog: Dialog; readonly unclosed: () => boolean } {
  const { format, head, end } = readHeader(file);
  const sections = fileSections(file, end, format);
  const { parts } = readParts(file, { from: end, to: sections.start, format, callIds: null });
  if (places) sections.locate(places);
  const start = format === null ? earlierStart(parts) : { head, parts };
  return { dialog: dialogOf({ format, ...start }, sections), unclosed: () => sections.unclosed() };
}

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
