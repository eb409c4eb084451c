/**
 * Limits the text to `maxBytes` of UTF-8: a line that says how much is missing replaces the middle. `leftOut`: bytes that were already left out of
 * the middle.
 */
export function cutMiddle(text: string, maxBytes: number, leftOut = 0): { readonly text: string; readonly cut: boolean } {
  // A UTF-16 unit takes up to three bytes.
  if (text.length * 3 <= maxBytes) return { text, cut: false };
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return { text, cut: false };
  const line = (missing: number): string =>
    `\n[… ${missing + leftOut} bytes of ${bytes.length + leftOut} cut here: the output limit is ${maxBytes} bytes …]\n`;
  const room = Math.max(0, maxBytes - new TextEncoder().encode(line(bytes.length)).length);
  const head = characterStart(bytes, Math.ceil(room / 2));
  const tail = characterEnd(bytes, bytes.length - Math.floor(room / 2));
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return { text: decoder.decode(bytes.subarray(0, head)) + line(tail - head) + decoder.decode(bytes.subarray(tail)), cut: true };
}

const continues = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The start of the character that contains `at`. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && continues(bytes[start])) start--;
  return start;
}

function characterEnd(bytes: Uint8Array, at: number): number {
  let end = at;
  while (continues(bytes[end])) end++;
  return end;
}
