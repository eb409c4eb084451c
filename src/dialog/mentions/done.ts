import { ownWords } from "./mentioned.ts";

/** The word alone in its line, or behind the end of a sentence. */
const END = /(?:^|\n {0,3}|[^\d\s][.!?…]["'”’)*_]{0,3}[ \t]+)(\*\*|__|\*|_|)DONE\1[.!]?$/;

/**
 * Whether an agent that answers others in turns says that it is done: `DONE`, in capitals, is a line or a sentence of its own at the very end. In
 * code, in a quote or between quotation marks it says nothing, and neither does it in "not DONE" or "Step 1: DONE".
 */
export function saysDone(text: string): boolean {
  const said = text.trimEnd();
  const [last = "", before = ""] = said.split("\n").toReversed();
  // As Markdown has it, the line is code, or belongs to the quote before it.
  if (/^(?: {4}| {0,3}\t)/.test(last) || /^ {0,3}>/.test(before)) return false;
  return END.test(ownWords(said));
}
