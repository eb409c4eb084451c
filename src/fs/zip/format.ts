/** The layout of a zip, according to PKWARE's APPNOTE. Numbers are little-endian. Offsets are from the record's first byte. */

export const localSignature = 0x04034b50;
export const centralSignature = 0x02014b50;
export const endSignature = 0x06054b50;
export const descriptorSignature = 0x08074b50;

/** Bytes of a record without its parts of variable length. */
export const localBytes = 30;
export const centralBytes = 46;
export const endBytes = 22;

/** Bits of an entry's flags. */
export const flags = { encrypted: 1, descriptor: 8, strongEncryption: 0x40, utf8: 0x800, maskedHeader: 0x2000 } as const;

export const methods = { stored: 0, deflated: 8 } as const;

/** Extra field: the name in UTF-8, next to the entry's own name. */
export const unicodePath = 0x7075;

/** Means that the number is in a Zip64 record. */
export const elsewhere16 = 0xffff;
export const elsewhere32 = 0xffffffff;

const earliest = Date.UTC(1980, 0, 1);
const latest = Date.UTC(2107, 11, 31, 23, 59, 58);

/** Milliseconds since 1970 as the format's two numbers, in UTC, with a precision of two seconds, between 1980 and 2107. */
export function toDosTime(ms: number): { readonly date: number; readonly time: number } {
  const at = new Date(Math.min(Math.max(ms, earliest), latest));
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

export function fromDosTime(date: number, time: number): number {
  return Date.UTC(1980 + (date >> 9), ((date >> 5) & 15) - 1, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2);
}

/** Bytes of all names that are read. Each is compared with the others in a folded form, which is most expensive for names with many folders. */
export const mostNameBytes = 10_000_000;
