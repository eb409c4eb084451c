import { joinBytes } from "../../../fs/bytes.ts";
import { fromBytes, toBytes } from "../encoding.ts";

/** A member of a tar archive. */
export interface Member {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly bytes: Uint8Array;
  readonly mode: number;
  /** Seconds since 1970. */
  readonly mtime: number;
  /** The target of a link. */
  readonly target: string;
}

const block = 512;

/** Writes ustar; names that are too long for it are written like GNU tar does. */
export function packTar(members: readonly Member[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const member of members) {
    const name = toBytes(member.name, undefined);
    if (name.length > 100) {
      const long = joinBytes([name, new Uint8Array(1)]);
      pieces.push(header(toBytes("././@LongLink", "latin1"), "L", long.length, 0, 0), padded(long));
    }
    pieces.push(
      header(name.subarray(0, 100), member.kind === "folder" ? "5" : "0", member.bytes.length, member.mode, member.mtime),
      padded(member.bytes),
    );
  }
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0) + 2 * block;
  // Records of twenty blocks, as every tar writes.
  pieces.push(new Uint8Array(2 * block + ((10_240 - (length % 10_240)) % 10_240)));
  return joinBytes(pieces);
}

function header(name: Uint8Array, type: string, size: number, mode: number, mtime: number): Uint8Array {
  const bytes = new Uint8Array(block);
  const put = (at: number, text: string): void => bytes.set(toBytes(text, "latin1"), at);
  const octal = (value: number, width: number): string => value.toString(8).padStart(width - 1, "0");
  bytes.set(name, 0);
  put(100, octal(mode & 0o7777, 8));
  put(108, octal(1000, 8));
  put(116, octal(1000, 8));
  put(124, octal(size, 12));
  put(136, octal(Math.max(0, Math.floor(mtime)), 12));
  put(148, "        ");
  put(156, type);
  put(257, "ustar  ");
  put(265, "user");
  put(297, "user");
  put(
    148,
    `${octal(
      bytes.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\0 `,
  );
  return bytes;
}

function padded(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / block) * block);
  whole.set(bytes);
  return whole;
}

/** Null: not a tar archive. For a truncated archive, returns the complete members and sets `whole` to false. */
export function unpackTar(bytes: Uint8Array): { readonly members: readonly Member[]; readonly whole: boolean } | null {
  const members: Member[] = [];
  let longName: string | null = null;
  let longTarget: string | null = null;
  let pax = new Map<string, string>();
  for (let at = 0; at + block <= bytes.length; ) {
    const head = bytes.subarray(at, at + block);
    if (head.every((byte) => byte === 0)) return { members, whole: true };
    const sum = head.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
    if (sum !== number(head, 148, 8)) return members.length === 0 ? null : { members, whole: false };
    const type = String.fromCharCode(head[156] ?? 0);
    const size = Number(pax.get("size") ?? number(head, 124, 12));
    const data = bytes.subarray(at + block, at + block + size);
    if (data.length < size) return { members, whole: false };
    at += block + Math.ceil(size / block) * block;
    if (type === "L") longName = string(data, 0, data.length);
    else if (type === "K") longTarget = string(data, 0, data.length);
    else if (type === "x") pax = paxRecords(data);
    else if (type !== "g") {
      const prefix = string(head, 257, 6) === "ustar" ? string(head, 345, 155) : "";
      const name = pax.get("path") ?? longName ?? (prefix === "" ? "" : `${prefix}/`) + string(head, 0, 100);
      members.push({
        name,
        kind:
          type === "5" || name.endsWith("/")
            ? "folder"
            : type === "0" || type === "\0" || type === "7"
              ? "file"
              : type === "1" || type === "2"
                ? "link"
                : "other",
        bytes: data,
        mode: number(head, 100, 8),
        mtime: Number(pax.get("mtime") ?? number(head, 136, 12)),
        target: pax.get("linkpath") ?? longTarget ?? string(head, 157, 100),
      });
      longName = null;
      longTarget = null;
      pax = new Map();
    }
  }
  return members.length === 0 && bytes.length > 0 ? null : { members, whole: false };
}

function string(bytes: Uint8Array, at: number, length: number): string {
  const field = bytes.subarray(at, at + length);
  const end = field.indexOf(0);
  return fromBytes(end < 0 ? field : field.subarray(0, end), undefined);
}

function number(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  // GNU tar writes a number that is too long for octal digits in binary.
  if (first & 0x80) return bytes.subarray(at + 1, at + length).reduce((value, byte) => value * 256 + byte, first & 0x7f);
  const digits = string(bytes, at, length).trim();
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function paxRecords(data: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < data.length; ) {
    const space = data.indexOf(0x20, at);
    const length = Number(fromBytes(data.subarray(at, space), "latin1"));
    if (space < 0 || !(length > 0)) return records;
    const [key = "", ...value] = fromBytes(data.subarray(space + 1, at + length - 1), undefined).split("=");
    records.set(key, value.join("="));
    at += length;
  }
  return records;
}
