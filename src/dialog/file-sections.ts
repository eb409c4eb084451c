import { blockOpensAt } from "./block.ts";
import { callId } from "./ids.ts";
import type { Section } from "./model.ts";
import { readMetaLines, readParts } from "./read-parts.ts";
import type { UnreadSections } from "./sections.ts";

/**
 * Receives the position of each section and each of its parts, in the order of the file. A range begins at the start of a line and may end with extra
 * LFs.
 */
export interface Places {
  /** A heading with the metadata lines directly under it. */
  section(from: number, to: number): void;
  /** The next part of the last section. */
  part(from: number, to: number): void;
}

export interface FileSections extends UnreadSections {
  /** Where the first heading starts. The end of the file if there is none. */
  readonly start: number;
  /** Reads all sections. */
  locate(places: Places): void;
  /** Whether the file ends inside a block. */
  unclosed(): boolean;
}

/**
 * The sections of a file. Only the headings are searched at once: each of the two lines is a heading wherever it is. The content between two headings
 * is read on demand.
 */
export function fileSections(file: string, from: number, format: number | null): FileSections {
  const headings = findHeadings(file, from);
  const read: Section[] = [];
  const idsIn = callIds(file, headings);
  let unclosed = false;

  const readSection = (index: number, places?: Places): Section => {
    const at = headings[index];
    if (at === undefined) throw new RangeError(`No section ${index} in a file of ${headings.length}`);
    const role = isUser(file, at) ? "user" : "assistant";
    const head = readMetaLines(file, at + (role === "user" ? USER : ASSISTANT).length);
    places?.section(at, head.end);
    const to = headings[index + 1] ?? file.length;
    const stretch = { from: head.end, to, format, callIds: role === "user" ? null : () => idsIn(index) };
    const found = readParts(file, stretch, places && ((begin, end) => places.part(begin, end)));
    if (index === headings.length - 1) unclosed = found.unclosed;
    return { role, head: head.lines, parts: found.parts };
  };
  const section = (index: number): Section => (read[index] ??= readSection(index));

  return {
    count: headings.length,
    start: headings[0] ?? file.length,
    at: section,
    locate(places) {
      for (let index = 0; index < headings.length; index++) read[index] = readSection(index, places);
    },
    unclosed() {
      if (headings.length > 0) section(headings.length - 1);
      return unclosed;
    },
  };
}

const USER = "## User\n";
const ASSISTANT = "## Assistant\n";
const LF = 10;

function isUser(file: string, at: number): boolean {
  return file.startsWith(USER, at);
}

/** Where the headings' lines start. Searching for a rare string is faster than splitting the file into lines. */
function findHeadings(file: string, from: number): number[] {
  const found: number[] = [];
  for (let at = file.indexOf("## ", from); at >= 0; at = file.indexOf("## ", at + 3)) {
    if ((at === 0 || file.charCodeAt(at - 1) === LF) && (isUser(file, at) || file.startsWith(ASSISTANT, at))) found.push(at);
  }
  return found;
}

/**
 * The ids of the calls in a section. An id depends on the ids before it, so calls are searched from the start of the file to the end of the section,
 * once.
 */
function callIds(file: string, headings: readonly number[]): (section: number) => readonly string[] {
  const ids: string[][] = [];
  const taken = new Set<string>();
  /** The section in which the last call was found. */
  let current = 0;
  let pos = headings[0] ?? file.length;
  return (section) => {
    const end = headings[section + 1] ?? file.length;
    while (pos < end) {
      const at = file.indexOf("Tool r", pos);
      if (at < 0) pos = file.length;
      else if (at >= end) pos = end;
      else {
        pos = at + 1;
        const id = blockOpensAt(file, at);
        if (id === null) continue;
        while ((headings[current + 1] ?? file.length) <= at) current++;
        if (isUser(file, headings[current] ?? 0)) continue;
        const given = callId(id, taken.size + 1, (other) => taken.has(other));
        taken.add(given);
        (ids[current] ??= []).push(given);
      }
    }
    return ids[section] ?? [];
  };
}
