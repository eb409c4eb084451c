/** The blocks of a text shown as written: its text, and its fenced code. */
export type Written =
  | { readonly kind: "text"; readonly text: string }
  /** `info`: what follows the opening fence. */
  | { readonly kind: "code"; readonly text: string; readonly info: string };

/** The maximum number of fenced blocks shown as code. The rest show as written. */
const maxFences = 100;
/** Fences are recognized in texts of up to this many UTF-16 units. A longer text may have a million lines. */
const longest = 100_000;

/** A fence that is never closed isn't a fence. The line breaks next to a code block belong to it. */
export function writtenBlocks(text: string): Written[] {
  if (text.length > longest || !/`{3}|~{3}/.test(text))
    return /\S/.test(text) ? [{ kind: "text", text: text.replace(/\r\n?/g, "\n") }] : [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const closings = closingFences(lines);
  const blocks: Written[] = [];
  let open: string[] = [];
  let fences = 0;
  const endText = () => {
    // An empty line between text and code is the margin between them.
    const said = open.join("\n").replace(/^\n|\n$/g, "");
    if (/\S/.test(said)) blocks.push({ kind: "text", text: said });
    open = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const end = fences < maxFences ? closings.get(at) : undefined;
    if (end === undefined) open.push(line);
    else {
      endText();
      blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n"), info: opening.exec(line)?.[2] ?? "" });
      fences += 1;
      at = end;
    }
  }
  endText();
  return blocks;
}

const opening = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** Each line that opens a block, and the line that closes it, with the same character and at least the same length. */
function closingFences(lines: readonly string[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let open: { readonly at: number; readonly fence: string } | null = null;
  for (const [at, line] of lines.entries()) {
    if (open === null) {
      const fence = opening.exec(line)?.[1];
      if (fence !== undefined) open = { at, fence };
      continue;
    }
    const fence = closing.exec(line)?.[1];
    if (fence === undefined || fence[0] !== open.fence[0] || fence.length < open.fence.length) continue;
    found.set(open.at, at);
    open = null;
  }
  return found;
}

/** The maximum length of an address that becomes a link, in UTF-16 units. */
const maxAddressLength = 2_000;

/** The text in parts, with web addresses as parts of their own. Joined, the parts are the text. */
export function writtenLinks(text: string): { readonly text: string; readonly isLink: boolean }[] {
  const parts: { text: string; isLink: boolean }[] = [];
  let from = 0;
  for (const { index, 0: found } of text.matchAll(/\bhttps?:\/\/[^\s<>"`]+/gi)) {
    if (found.length > maxAddressLength) continue;
    const address = withoutEnd(found);
    if (!/^https?:\/\/./i.test(address)) continue;
    if (index > from) parts.push({ text: text.slice(from, index), isLink: false });
    parts.push({ text: address, isLink: true });
    from = index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isLink: false });
  return parts;
}

const brackets: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

/** Punctuation at the end belongs to the sentence, and so does a closing bracket that the address doesn't open. */
function withoutEnd(found: string): string {
  /** By kind of bracket, how many more close than open. */
  const surplus = new Map(Array.from(brackets, ([close, open]) => [close, count(found, close) - count(found, open)]));
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? "";
    if (/[.,:;!?'*_~]/.test(last)) continue;
    const more = surplus.get(last) ?? 0;
    if (more <= 0) break;
    surplus.set(last, more - 1);
  }
  return found.slice(0, end);
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;
