import { only } from "./meta.ts";
import type { Meta } from "./model.ts";

/*
 * How many messages of a dialog came with an import. The line is directly below the format: `> Imported: 21 messages`. Schedules don't count these
 * messages, whatever their times. A dialog with too few messages for any schedule has no such line.
 */

const IMPORTED = "Imported";
/** No schedule starts with fewer messages. */
const least = 6;

const START = /^# Dialog\n> Format: [0-9]{1,9}\n/;
const LINE = /^> Imported: [^\n]*\n/;

const lineOf = (count: number): Meta => ({ key: IMPORTED, value: `${count} messages` });

/** The header lines for this number of messages. */
export const importedLines = (count: number): Meta[] => (count < least ? [] : [lineOf(count)]);

/** The file with the line for this number of messages, replacing the line that it may have already. */
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

/** The number of imported messages. Infinity, which is all of them, if the line is duplicated or invalid. */
export function importedMessages(head: readonly Meta[]): number {
  if (!head.some(({ key }) => key === IMPORTED)) return 0;
  const count = /^([0-9]{1,9}) messages$/.exec(only(head, IMPORTED) ?? "")?.[1];
  return count === undefined ? Infinity : Number(count);
}
