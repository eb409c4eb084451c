/** Replaces lone surrogates. They aren't characters, and servers reject a body that has one. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** Whether the text is only white space. Includes more than `trim()`: some servers also count U+0085 and the four ASCII separators as white space. */
export function isBlank(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return !/[^\s\u0085\u001c-\u001f]/.test(text);
}

/**
 * `text` without its middle if it is longer than `limit` UTF-16 units, with a line in the gap that says so. The result is never longer than
 * `limit`, unless that line alone is.
 */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - gap(text.length).length);
  const head = startsPair(text, Math.ceil(room / 2) - 1) ? Math.ceil(room / 2) - 1 : Math.ceil(room / 2);
  const from = text.length - Math.floor(room / 2);
  const tail = startsPair(text, from - 1) ? from + 1 : from;
  return text.slice(0, head) + gap(tail - head) + text.slice(tail);
}

/** Whether a surrogate pair starts at `index`, so that the text can't be cut after it. */
function startsPair(text: string, index: number): boolean {
  return index >= 0 && (text.codePointAt(index) ?? 0) > 0xffff;
}

function gap(left: number): string {
  return `\n[${left} characters are left out here. The dialog's file holds the whole result; to read the rest, run a command that prints less at a time, such as head, tail or grep.]\n`;
}
