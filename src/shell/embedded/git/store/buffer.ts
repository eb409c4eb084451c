import { fromBytes, toBytes } from "../../encoding.ts";

/**
 * The part of Node's Buffer that isomorphic-git uses. The full Buffer would be a dependency of 6 KB for these few calls. This class is not a global,
 * because code that finds a global Buffer expects all of Node's. `scripts/vite/git-library.ts` gives it to isomorphic-git alone.
 */
export class SmallBuffer extends Uint8Array {
  static override from(...args: readonly unknown[]): SmallBuffer {
    const [value, second, third] = args;
    if (typeof value === "string") return copyOf(encoded(value, typeof second === "string" ? second : undefined));
    if (value instanceof ArrayBuffer)
      return new SmallBuffer(value, typeof second === "number" ? second : 0, typeof third === "number" ? third : undefined);
    if (value instanceof Uint8Array || Array.isArray(value)) return copyOf(value);
    throw new TypeError("Buffer.from: expected a string, bytes or numbers");
  }

  static alloc(size: number): SmallBuffer {
    return new SmallBuffer(size);
  }

  static concat(parts: readonly Uint8Array[]): SmallBuffer {
    const all = new SmallBuffer(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof SmallBuffer;
  }

  static byteLength(text: string): number {
    return toBytes(text, undefined).length;
  }

  override toString(encoding?: string, start = 0, end = this.length): string {
    return fromBytes(this.subarray(start, end), plainName(encoding));
  }

  /** As in Node, the slice shares the memory. */
  override slice(start?: number, end?: number): SmallBuffer {
    const part = this.subarray(start, end);
    return new SmallBuffer(part.buffer, part.byteOffset, part.length);
  }

  /** As in Node, the encoding may be the second argument. */
  write(text: string, second: number | string = 0, third?: number, fourth?: string): number {
    const offset = typeof second === "number" ? second : 0;
    const length = third ?? this.length - offset;
    const bytes = encoded(text, typeof second === "string" ? second : fourth).subarray(0, Math.min(length, this.length - offset));
    this.set(bytes, offset);
    return bytes.length;
  }

  copy(target: Uint8Array, targetStart = 0, start = 0, end = this.length): number {
    const bytes = this.subarray(start, Math.min(end, start + target.length - targetStart));
    target.set(bytes, targetStart);
    return bytes.length;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, i) => byte === other[i]);
  }

  readUInt8(offset = 0): number {
    return viewOf(this).getUint8(offset);
  }
  readUInt16BE(offset = 0): number {
    return viewOf(this).getUint16(offset);
  }
  readUInt32BE(offset = 0): number {
    return viewOf(this).getUint32(offset);
  }
  writeUInt8(value: number, offset = 0): number {
    viewOf(this).setUint8(offset, value);
    return offset + 1;
  }
  writeUInt16BE(value: number, offset = 0): number {
    viewOf(this).setUint16(offset, value);
    return offset + 2;
  }
  writeUInt32BE(value: number, offset = 0): number {
    viewOf(this).setUint32(offset, value);
    return offset + 4;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function copyOf(bytes: ArrayLike<number>): SmallBuffer {
  const copy = new SmallBuffer(bytes.length);
  copy.set(bytes);
  return copy;
}

function plainName(encoding: string | undefined): string | undefined {
  const name = encoding?.toLowerCase();
  return name === "utf8" || name === "utf-8" ? undefined : name;
}

/** Node accepts base64 with line breaks, without padding, and in either alphabet. */
function encoded(text: string, encoding: string | undefined): Uint8Array {
  const name = plainName(encoding);
  if (name !== "base64") return toBytes(text, name);
  const letters = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  return toBytes(letters.length % 4 === 1 ? letters.slice(0, -1) : letters, "base64");
}
