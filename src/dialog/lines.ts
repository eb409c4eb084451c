import type { Dialog } from "./model.ts";
import { readDialog } from "./parse.ts";

/** A range of lines, both ends included. The first line is 1. Only LF ends a line. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

export interface SectionLines {
  /** The heading, with the metadata lines directly under it. */
  readonly head: Lines;
  /** One for each part of the section, in order. */
  readonly parts: readonly Lines[];
}

export interface LocatedDialog {
  readonly dialog: Dialog;
  /** One for each section of the dialog, in order. */
  readonly sections: readonly SectionLines[];
  /** The number of lines in the file. */
  readonly total: number;
}

/**
 * Parses a dialog file and locates its parts. The lines of a part hold the whole part and nothing else. Works on any file, as `parseDialog` does, in
 * time linear in the file's length.
 */
export function locateDialog(file: string): LocatedDialog {
  const linesOf = lineCounter(file);
  const sections: { head: Lines; parts: Lines[] }[] = [];
  const { dialog } = readDialog(file, {
    section: (from, to) => void sections.push({ head: linesOf(from, to), parts: [] }),
    part: (from, to) => void sections.at(-1)?.parts.push(linesOf(from, to)),
  });
  return { dialog, sections, total: file === "" ? 0 : linesOf(file.length - 1, file.length).to };
}

/** Returns a function that finds the lines of a range. Each range must start after the start of the previous one. */
function lineCounter(file: string): (from: number, to: number) => Lines {
  let at = 0;
  let line = 1;
  const lineAt = (offset: number): number => {
    for (let lf = file.indexOf("\n", at); lf >= 0 && lf < offset; lf = file.indexOf("\n", at)) {
      at = lf + 1;
      line++;
    }
    return line;
  };
  return (from, to) => ({ from: lineAt(from), to: lineAt(lastCharacter(file, from, to)) });
}

/** The position of the last character that is not LF. */
function lastCharacter(file: string, from: number, to: number): number {
  let at = to - 1;
  while (at > from && file.charCodeAt(at) === LF) at--;
  return at;
}

const LF = 10;
