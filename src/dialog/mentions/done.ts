import { ownWords } from "./mentioned.ts";

/** The word alone on its line, or after the end of a sentence. */
const END = /(?:^|\n {0,3}|[^\d\s][.!?…]["'”’)*_]{0,3}[ \t]+)(\*\*|__|\*|_|)DONE\1[.!]?$/;

/**
 * Whether an agent that takes turns with others says that it is done: `DONE`, in capitals, is a line or a sentence of its own at the very end. `DONE`
 * in code, in a quote or between quotation marks doesn't count, and neither does "not DONE" or "Step 1: DONE".
 */
export function saysDone(text: string): boolean {
  const said = text.trimEnd();
  const [last = "", before = ""] = said.split("\n").toReversed();
  // In Markdown such a line is code, or belongs to the quote above it.
  if (/^(?: {4}| {0,3}\t)/.test(last) || /^ {0,3}>/.test(before)) return false;
  return END.test(ownWords(said));
}
