/** Converts with the text encodings that just-bash names when it reads and writes files. */
export function toBytes(content: string | Uint8Array, encoding: string | undefined): Uint8Array {
  if (typeof content !== "string") return content.slice();
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii": {
      const bytes = new Uint8Array(content.length);
      for (let i = 0; i < content.length; i++) bytes[i] = content.charCodeAt(i);
      return bytes;
    }
    case "base64":
      return toBytes(atob(content), "latin1");
    case "hex": {
      const bytes = new Uint8Array(content.length >> 1);
      for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(content.slice(2 * i, 2 * i + 2), 16);
      return bytes;
    }
    default:
      return new TextEncoder().encode(content);
  }
}

export function fromBytes(bytes: Uint8Array, encoding: string | undefined): string {
  switch (encoding) {
    case "binary":
    case "latin1":
    case "ascii":
      return latin1(bytes);
    case "base64":
      return btoa(latin1(bytes));
    case "hex":
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    default:
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }
}

/** One character per byte. Works in pieces, because a call allows only a limited number of arguments. */
export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}
