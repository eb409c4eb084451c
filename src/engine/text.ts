/** The text that a file holds; null when its bytes are no UTF-8 or hold a NUL: then it is no text to show or to edit. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The one thing that a fatal decoder throws for is bytes that are no UTF-8.
    return null;
  }
}
