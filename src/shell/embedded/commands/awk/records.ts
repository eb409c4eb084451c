import { regex } from "./regex.ts";

/** Reads a text record by record. */
export interface RecordReader {
  /** The next record, and the text `RT` that ended it; null at the end. */
  next(separator: string): { readonly record: string; readonly end: string } | null;
}

export function recordReader(text: string): RecordReader {
  let at = 0;
  return {
    next(separator) {
      if (separator === "") {
        // A paragraph does not include the empty lines around it.
        while (text.charAt(at) === "\n") at++;
        if (at >= text.length) return null;
        const gap = /\n\n+/g;
        gap.lastIndex = at;
        const found = gap.exec(text);
        const record = text.slice(at, found?.index ?? text.length);
        at = found ? gap.lastIndex : text.length;
        return { record: found ? record : record.replace(/\n$/, ""), end: found?.[0] ?? "" };
      }
      if (at >= text.length) return null;
      if (separator.length === 1) {
        const end = text.indexOf(separator, at);
        const record = text.slice(at, end < 0 ? text.length : end);
        at = end < 0 ? text.length : end + 1;
        return { record, end: end < 0 ? "" : separator };
      }
      const pattern = new RegExp(regex(separator).source, "gsu");
      pattern.lastIndex = at;
      let found = pattern.exec(text);
      if (found?.[0] === "") found = null;
      // The end of the last line does not begin another record.
      const record = text.slice(at, found?.index ?? text.length);
      at = found ? found.index + found[0].length : text.length;
      return { record, end: found?.[0] ?? "" };
    },
  };
}

/** Splits a record into fields. `separator`: FS. `perLine`: line ends also separate, as in paragraphs. */
export function splitFields(text: string, separator: string, perLine = false): string[] {
  if (text === "") return [];
  if (separator === " ") {
    const trimmed = text.replace(/^[ \t\n]+/, "").replace(/[ \t\n]+$/, "");
    return trimmed === "" ? [] : trimmed.split(/[ \t\n]+/);
  }
  if (separator === "") return Array.from(text);
  if (separator.length === 1 && separator !== "\\" && !perLine) return text.split(separator === "\t" ? "\t" : separator);
  return splitAt(text, perLine ? `${single(separator)}|\n` : separator);
}

const single = (separator: string): string => (separator.length === 1 ? `[${separator}]` : separator);

/** Splits at a regular expression, which may not match an empty text. */
export function splitAt(text: string, source: string, separators?: string[]): string[] {
  if (text === "") return [];
  const pattern = regex(source, "g");
  const parts: string[] = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    if (found[0] === "") continue;
    parts.push(text.slice(from, found.index));
    separators?.push(found[0]);
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}
