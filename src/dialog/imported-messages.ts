import { only } from "./meta.ts";
import type { Meta } from "./model.ts";

/*
 * How many messages of a dialog came with an import, as its header says it right below the format: `> Imported: 21 messages`. No schedule counts them, whatever
 * times they name. A dialog with too few for any schedule has no such line.
 */

const IMPORTED = "Imported";
/** No schedule starts at fewer. */
const least = 6;

const START = /^# Dialog\n> Format: [0-9]{1,9}\n/;
const LINE = /^> Imported: [^\n]*\n/;

const lineOf = (count: number): Meta => ({ key: IMPORTED, value: `${count} messages` });

/** The lines of the header for so many messages. */
export const importedLines = (count: number): Meta[] => (count < least ? [] : [lineOf(count)]);

/** The file with the line for so many messages, in place of one that it has there. */
export function withImported(file: string, count: number): string {
  const start = START.exec(file)?.[0];
  if (start === undefined || count < least) return file;
  const { key, value } = lineOf(count);
  return `${start}> ${key}: ${value}\n${file.slice(start.length).replace(LINE, "")}`;
}

export function withoutImported(file: string): string {
  const start = START.exec(file)?.[0] ?? "";
  return start + file.slice(start.length).replace(LINE, "");
}

/** All of them where the line can't be read, or stands there twice. */
export function importedMessages(head: readonly Meta[]): number {
  if (!head.some(({ key }) => key === IMPORTED)) return 0;
  const count = /^([0-9]{1,9}) messages$/.exec(only(head, IMPORTED) ?? "")?.[1];
  return count === undefined ? Infinity : Number(count);
}
