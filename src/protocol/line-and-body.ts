const newline = 10;

/** One line of JSON, followed by bytes. */
export function withLine(line: unknown, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify(line)}\n`);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

/** Splits what `withLine` joined. Null if the bytes don't begin with a line of JSON. */
export function splitLine(bytes: Uint8Array<ArrayBuffer>): { readonly line: unknown; readonly body: Uint8Array<ArrayBuffer> } | null {
  const at = bytes.indexOf(newline);
  if (at < 0) return null;
  try {
    const line: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at)));
    return { line, body: bytes.subarray(at + 1) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
