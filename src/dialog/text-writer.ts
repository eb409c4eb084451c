import { createCleaner, isBlank } from "./clean.ts";
import { canBecomeOpener, isOpener, slashesEnd } from "./escape.ts";
import { metaValue } from "./meta.ts";
import type { Meta } from "./model.ts";
import { metaText } from "./serialise.ts";

/**
 * Writes one text part of a dialog as the text streams in.
 *
 * - The `file`s, joined, are what `serialiseDialog` would write for the whole text, wherever the stream is cut. The `text`s, joined, are the part's
 *   text.
 * - The file so far never contains a line that could be read as structure.
 * - It holds back what is undecided: the start of a line that can still become an opener, blank lines that can still be the last, a last line that
 *   can still be the model's `> Waiting: `, a run of CR, half a surrogate pair.
 */
export interface TextWriter {
  push(chunk: string): TextPiece;
  /** `by-itself`: the response ended uninterrupted and without calls. Then a last line `> Waiting: …` is the model's sign that it waits. */
  end(ended: "by-itself" | "cut"): LastTextPiece;
}

export interface TextPiece {
  /** To append to the file. */
  readonly file: string;
  /** To append to the part's text. */
  readonly text: string;
  /** A new part starts with this piece. */
  readonly starts: boolean;
}

export interface LastTextPiece extends TextPiece {
  /** What the model waits for. */
  readonly waiting: string | null;
  /** The `Waiting` line, if it became metadata. A question that is not a valid value stays in the text, so no word is lost. */
  readonly meta: readonly Meta[];
}

const SIGN = "> Waiting: ";

export function createTextWriter(): TextWriter {
  const cleaner = createCleaner();
  const out = createOutput();
  let line: Line = { kind: "start" };
  /** LFs and blank lines since the last line that has text. */
  let gap = "";
  /** A line that starts with `SIGN`, and the gap before it. */
  let sign: { readonly gap: string; line: string } | null = null;

  const writeSign = (): void => {
    if (sign !== null) out.write(sign.gap, "\\", sign.line);
    sign = null;
  };
  /** Writes more of a line that has text, which also settles what was held back before it. */
  const write = (escape: "" | "\\", characters: string): void => {
    writeSign();
    out.write(gap, escape, characters);
    gap = "";
  };

  const addToLine = (piece: string): void => {
    switch (line.kind) {
      case "text":
        write("", piece);
        return;
      case "sign":
        if (sign !== null) sign.line += piece;
        return;
      case "start":
        if (!isBlank(piece.charAt(0))) return settle(piece, false);
        line = { kind: "blank", held: "" };
        return addToLine(piece);
      case "blank":
        if (isBlank(piece)) line = { kind: "blank", held: line.held + piece };
        else {
          write("", line.held + piece);
          line = { kind: "text" };
        }
        return;
      case "held":
        return settle(line.held + piece, line.slashes);
    }
  };

  /** `begun` is the line so far, without the backslashes at its start that are already written. */
  const settle = (begun: string, slashesBefore: boolean): void => {
    const slashes = slashesEnd(begun, 0);
    if (slashes > 0) write("", begun.slice(0, slashes));
    const rest = slashes === 0 ? begun : begun.slice(slashes);
    const slashed = slashesBefore || slashes > 0;
    if (rest === "" || canBecomeOpener(rest) || (rest === SIGN.trimEnd() && !slashed)) {
      line = { kind: "held", held: rest, slashes: slashed };
    } else if (rest.startsWith(SIGN) && !slashed) {
      writeSign();
      sign = { gap, line: rest };
      gap = "";
      line = { kind: "sign" };
    } else {
      write(isOpener(rest, 0) ? "\\" : "", rest);
      line = { kind: "text" };
    }
  };

  const endLine = (): void => {
    if (line.kind === "held" && line.held !== "") write(isOpener(line.held, 0) ? "\\" : "", line.held);
    gap += line.kind === "blank" ? `${line.held}\n` : "\n";
    line = { kind: "start" };
  };

  const add = (characters: string): void => {
    let at = 0;
    for (let lf = characters.indexOf("\n"); lf >= 0; lf = characters.indexOf("\n", at)) {
      if (lf > at) addToLine(characters.slice(at, lf));
      endLine();
      at = lf + 1;
    }
    if (at < characters.length) addToLine(characters.slice(at));
  };

  return {
    push(chunk) {
      add(cleaner.push(chunk));
      return out.take();
    },
    end(ended) {
      add(cleaner.end());
      endLine();
      const waiting = sign === null || ended === "cut" ? null : trimBlanks(sign.line.slice(SIGN.length));
      const meta = waiting !== null && metaValue(waiting) === waiting ? [{ key: "Waiting", value: waiting }] : [];
      if (meta.length === 0) writeSign();
      const last = out.take();
      return { ...last, file: `${last.file}${out.started() ? "\n" : ""}${metaText(meta)}`, waiting, meta };
    },
  };
}

type Line =
  /** The line is empty so far. */
  | { readonly kind: "start" }
  /** Spaces and tabs so far, held back. */
  | { readonly kind: "blank"; readonly held: string }
  /** Text that can still become an opener or the sign. `slashes`: backslashes before it are already written. */
  | { readonly kind: "held"; readonly held: string; readonly slashes: boolean }
  | { readonly kind: "sign" }
  /** The line is settled: the rest is written as it comes. */
  | { readonly kind: "text" };

/** Collects what a call returns. The first write starts the part: it writes a blank line instead of the gap. */
function createOutput() {
  let file = "";
  let text = "";
  let starts = false;
  let started = false;
  return {
    started: () => started,
    write(gap: string, escape: "" | "\\", characters: string): void {
      if (!started) {
        started = true;
        starts = true;
        file = `\n${escape}${characters}`;
        text = characters;
        return;
      }
      file += gap + escape + characters;
      text += gap + characters;
    },
    take(): TextPiece {
      const piece = { file, text, starts };
      file = "";
      text = "";
      starts = false;
      return piece;
    },
  };
}

function trimBlanks(line: string): string {
  let from = 0;
  let to = line.length;
  while (from < to && isBlank(line.charAt(from))) from++;
  while (to > from && isBlank(line.charAt(to - 1))) to--;
  return line.slice(from, to);
}
