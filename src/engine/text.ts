/** The text of a file. Null if its bytes aren't valid UTF-8 or contain a NUL: then it can't be shown or edited as text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // A fatal decoder throws only for bytes that aren't valid UTF-8.
    return null;
  }
}
