import type { Lines, TextPlace } from "../model/route.ts";

/* Finds where the parts of a section are in a dialog's file, but not what they mean: only the engine parses dialogs. A part is a run of `> Key:
   value` lines, the block of a call, or the text between them. */

/** Lines `from` to before `to`, counted from 0. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const isHeading = (line: string | undefined) => line === "## User" || line === "## Assistant";
const isMeta = (line: string | undefined) => /^> [A-Z][A-Za-z]{0,31}(?: [a-z]{1,31})?:(?: .{0,999})?$/.test(line ?? "");
const isRequest = (line: string | undefined) => /^Tool request: .* \[.*\]$/.test(line ?? "");
const isBlank = (line: string | undefined) => /^[ \t]*$/.test(line ?? "");
/** Lines of a block below its request. */
const isOfBlock = (line: string | undefined) => line === "" || /^(?:[ \t]|Decision: |Started:(?: |$)|Result:$)/.test(line ?? "---");

/** The lines of a place in a dialog's file, counted from 1; null if there is no such place. */
export function placeLines(lines: readonly string[], { section, part }: TextPlace): Lines | null {
  let start = -1;
  for (let nth = -1, at = 0; at < lines.length && start < 0; at++) if (isHeading(lines[at]) && ++nth === section) start = at;
  if (start < 0) return null;
  const head = { from: start, to: afterMeta(lines, start + 1) };
  const found = part === undefined ? head : partsFrom(lines, head.to, lines[start] === "## Assistant")[part];
  return found === undefined ? null : { from: found.from + 1, to: found.to };
}

function partsFrom(lines: readonly string[], from: number, hasCalls: boolean): readonly Range[] {
  const parts: Range[] = [];
  let textFrom = from;
  let at = from;
  const endText = () => {
    let to = at;
    while (textFrom < to && isBlank(lines[textFrom])) textFrom++;
    while (to > textFrom && isBlank(lines[to - 1])) to--;
    if (to > textFrom) parts.push({ from: textFrom, to });
  };
  while (at < lines.length && !isHeading(lines[at])) {
    const isBlock = hasCalls && lines[at] === "---" && isRequest(lines[at + 1]);
    if (!isBlock && !isMeta(lines[at])) {
      at++;
      continue;
    }
    endText();
    const to = isBlock ? afterBlock(lines, at + 2) : afterMeta(lines, at);
    parts.push(withoutBlankEnd(lines, { from: at, to }));
    textFrom = at = to;
  }
  endText();
  return parts;
}

function afterMeta(lines: readonly string[], from: number): number {
  let at = from;
  while (isMeta(lines[at])) at++;
  return at;
}

/** The line that closes a block can also open the next one. It then belongs to the next one. */
function afterBlock(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && isOfBlock(lines[at])) at++;
  return lines[at] === "---" && !isRequest(lines[at + 1]) ? at + 1 : at;
}

function withoutBlankEnd(lines: readonly string[], { from, to }: Range): Range {
  let end = to;
  while (end > from + 1 && lines[end - 1] === "") end--;
  return { from, to: end };
}
