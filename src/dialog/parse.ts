import { fileSections, type Places } from "./file-sections.ts";
import type { Dialog, Meta, Part } from "./model.ts";
import { readMetaLines, readParts } from "./read-parts.ts";
import { dialogOf } from "./sections.ts";

/**
 * Parses a dialog file. Any text is a dialog file: this never throws, and its time is linear in the file's length.
 *
 * - Only LF ends a line. A last line without LF is text, whatever it contains.
 * - It reads line by line and never looks for code fences, so an unclosed fence swallows nothing.
 * - A file of an earlier Vibey is read as it is: its texts are not unescaped, and its authority lines have no effect (see `authorizedAt`).
 * - A section is read on demand. `dialog.sections` reads all of them.
 */
export function parseDialog(file: string): Dialog {
  return readDialog(file).dialog;
}

/** Like `parseDialog`, and also says whether the file ends inside a block. */
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

/** The header, up to the first line that is not metadata. For an earlier Vibey's file, only `# Dialog`. */
function readHeader(file: string): { format: number | null; head: readonly Meta[]; end: number } {
  const title = "# Dialog\n";
  if (!file.startsWith(title)) return { format: null, head: [], end: 0 };
  const lf = file.indexOf("\n", title.length);
  const format = lf >= 0 && file.startsWith(FORMAT, title.length) ? file.slice(title.length + FORMAT.length, lf) : "";
  if (!NUMBER.test(format)) return { format: null, head: [], end: title.length };
  const { lines, end } = readMetaLines(file, lf + 1);
  return { format: Number(format), head: lines.filter(({ key }) => key !== "Format"), end };
}

/** An earlier Vibey put a blank line, and sometimes a comment, between `# Dialog` and its metadata. */
function earlierStart(parts: readonly Part[]): { head: readonly Meta[]; parts: readonly Part[] } {
  const head = parts.flatMap((part) => (part.kind === "meta" ? part.lines : [])).filter(({ key }) => key !== "Format");
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  return { head, parts: text === "" ? [] : [{ kind: "text", text }] };
}
