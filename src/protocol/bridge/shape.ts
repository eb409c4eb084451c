/** The maximum nesting of lists and maps: a message, its headers, a header. */
const maxDepth = 3;

/**
 * Whether bytes in msgpack can be decoded in about as much room as they take. A decoder makes room for as many items as a list announces before it
 * reads one, so a few bytes could ask for gigabytes. Kinds of values that no message has are refused.
 */
export function isSmall(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** Values that are to come, of each list and map that is open. */
  const open = [1];
  let at = 0;
  while (open.length > 0) {
    const left = open.pop() ?? 0;
    if (left === 0) continue;
    open.push(left - 1);
    if (at >= bytes.length) return false;
    const head = headAt(view, at);
    if (head === null) return false;
    at += head.bytes;
    if (at + head.values > bytes.length || (head.values > 0 && open.length > maxDepth)) return false;
    open.push(head.values);
  }
  return at === bytes.length;
}

interface Head {
  /** The size of the value itself, without the values that it contains. */
  readonly bytes: number;
  /** How many values it contains. */
  readonly values: number;
}

/** Null: the type is not allowed, or the bytes end too early. */
function headAt(view: DataView, at: number): Head | null {
  const kind = view.getUint8(at);
  if (kind < 0x80 || kind >= 0xe0) return plain(1);
  if (kind < 0x90) return { bytes: 1, values: 2 * (kind & 15) };
  if (kind < 0xa0) return { bytes: 1, values: kind & 15 };
  if (kind < 0xc0) return plain(1 + (kind & 31));
  const fixed = fixedBytes[kind];
  if (fixed !== undefined) return plain(1 + fixed);
  const size = sizeBytes[kind];
  if (size === undefined || at + size >= view.byteLength) return null;
  const count = size === 1 ? view.getUint8(at + 1) : size === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  switch (kind) {
    case 0xdc:
    case 0xdd:
      return { bytes: 1 + size, values: count };
    case 0xde:
    case 0xdf:
      return { bytes: 1 + size, values: 2 * count };
    default:
      return plain(1 + size + count);
  }
}

const plain = (bytes: number): Head => ({ bytes, values: 0 });

/** Bytes behind the kind: nothing, false and true, and numbers. */
const fixedBytes: Readonly<Record<number, number>> = {
  0xc0: 0,
  0xc2: 0,
  0xc3: 0,
  0xca: 4,
  0xcb: 8,
  0xcc: 1,
  0xcd: 2,
  0xce: 4,
  0xcf: 8,
  0xd0: 1,
  0xd1: 2,
  0xd2: 4,
  0xd3: 8,
};

/** Bytes of the size behind the kind: of bytes, texts, lists and maps. */
const sizeBytes: Readonly<Record<number, number>> = {
  0xc4: 1,
  0xc5: 2,
  0xc6: 4,
  0xd9: 1,
  0xda: 2,
  0xdb: 4,
  0xdc: 2,
  0xdd: 4,
  0xde: 2,
  0xdf: 4,
};
