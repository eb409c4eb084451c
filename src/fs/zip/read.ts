import { canonical, canonicalText, type Path, parsePath } from "../path.ts";
import {
  centralBytes,
  centralSignature,
  descriptorSignature,
  elsewhere16,
  elsewhere32,
  endBytes,
  endSignature,
  flags,
  fromDosTime,
  localBytes,
  localSignature,
  methods,
  mostNameBytes,
  unicodePath,
} from "./format.ts";

/**
 * The file list of an archive, checked: every name is valid in a project, no two names are equal ignoring case, nothing is a link or encrypted, each
 * entry's local header matches the directory, and no two entries share a byte. `inflateEntry` checks the contents.
 */
export type ZipReading =
  | { readonly ok: true; readonly entries: readonly ZipItem[]; readonly comment: string }
  | { readonly ok: false; readonly refusal: ZipRefusal };

/** A file of the archive. */
export interface ZipItem {
  readonly path: Path;
  /** In bytes, unpacked. */
  readonly size: number;
  readonly crc: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly deflated: boolean;
  readonly packed: Uint8Array;
}

export interface ZipRefusal {
  readonly kind: /** It is not a zip, is incomplete, or is of a kind that Vibey can't read. */
    | "not-a-zip"
    | "unsafe-name"
    /** Two names that are the same, or a file and a folder with the same name. */
    | "same-name"
    | "link"
    | "encrypted"
    /** The directory and an entry's local header differ, or the contents are longer or shorter than declared. */
    | "lies"
    /** The contents don't match their checksum. */
    | "checksum"
    /** A limit is exceeded. */
    | "too-much";
  /** The entry's name as written in the archive. Null if the refusal is about the whole archive. */
  readonly entry: string | null;
  /** A sentence. */
  readonly message: string;
}

export interface ZipLimits {
  readonly entries: number;
  /** Bytes of all contents. */
  readonly inflated: number;
  /** UTF-16 code units of a name. Absent: the limit of a path. */
  readonly name?: number;
  /** The maximum ratio of contents to archive, and of an entry's contents to its packed size. */
  readonly ratio: number;
}

/** Entries up to this many bytes may have any compression ratio. */
const harmless = 1_000_000;
export function readZip(bytes: Uint8Array, limits: ZipLimits): ZipReading {
  try {
    return { ok: true, ...read(bytes, limits) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

/** Leaves the reader at any depth. Not visible outside this file. */
class Refused extends Error {
  readonly refusal: ZipRefusal;
  constructor(kind: ZipRefusal["kind"], entry: string | null, message: string) {
    super(message);
    this.refusal = { kind, entry, message };
  }
}

function read(bytes: Uint8Array, limits: ZipLimits): { readonly entries: ZipItem[]; readonly comment: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(bytes, view);
  const [disk, directoryDisk] = [view.getUint16(end + 4, true), view.getUint16(end + 6, true)];
  const [here, count] = [view.getUint16(end + 8, true), view.getUint16(end + 10, true)];
  const [size, at] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  if (count > limits.entries || here > limits.entries) {
    const many = count === elsewhere16 ? "65,535 or more" : count.toLocaleString("en");
    throw new Refused("too-much", null, `It has ${many} entries. The limit is ${limits.entries.toLocaleString("en")}.`);
  }
  if (at === elsewhere32 || size === elsewhere32) throw new Refused("not-a-zip", null, "It's a Zip64 archive, which Vibey can't read.");
  if (disk !== 0 || directoryDisk !== 0 || here !== count) throw new Refused("not-a-zip", null, "It's one part of a multi-part archive.");
  if (at + size !== end) throw new Refused("lies", null, "It's damaged: its file list isn't where the archive says it is.");

  const records: CentralRecord[] = [];
  let next = at;
  let nameBytes = 0;
  while (next < end) {
    const record = centralRecord(bytes, view, next, end);
    records.push(record);
    nameBytes += record.rawName.length;
    if (nameBytes > mostNameBytes)
      throw new Refused("too-much", null, `Its names are longer than ${mostNameBytes / 1_000_000} MB together.`);
    next = record.next;
    if (records.length > count) break;
  }
  if (records.length !== count)
    throw new Refused("lies", null, `It's damaged: it claims ${count} entries, but its file list has a different number.`);
  checkSize(records, bytes.length, limits);
  const entries = namedFiles(records, limits.name);
  checkPlaces(records, bytes, view, at);
  return {
    entries: entries.map(({ path, record }) => {
      const { from, packedSize, size: inflated, crc, mtime, deflated } = record;
      return { path, size: inflated, crc, mtime, deflated, packed: bytes.subarray(from, from + packedSize) };
    }),
    comment: new TextDecoder().decode(bytes.subarray(end + endBytes)),
  };
}

/** Where the end record begins: the only one that ends, with its comment, where the archive ends. */
function findEnd(bytes: Uint8Array, view: DataView): number {
  const first = Math.max(0, bytes.length - endBytes - 0xffff);
  let found = -1;
  for (let at = bytes.length - endBytes; at >= first; at--) {
    if (view.getUint32(at, true) !== endSignature || at + endBytes + view.getUint16(at + 20, true) !== bytes.length) continue;
    if (found >= 0) throw new Refused("lies", null, "It's damaged: it has two conflicting file lists.");
    found = at;
  }
  if (found < 0) throw new Refused("not-a-zip", null, "It isn't a zip, or it's incomplete.");
  return found;
}

interface CentralRecord {
  readonly name: string;
  readonly rawName: Uint8Array;
  readonly isFolder: boolean;
  readonly flags: number;
  readonly method: number;
  readonly deflated: boolean;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly mtime: number;
  /** The position of its local header. */
  readonly at: number;
  /** Where its data begins, according to its local header. */
  from: number;
  /** Where the next record begins. */
  readonly next: number;
}

const types = { mask: 0xf000, folder: 0x4000, file: 0x8000, link: 0xa000 } as const;
/** On Windows: a link to another place. */
const reparsePoint = 0x400;

function centralRecord(bytes: Uint8Array, view: DataView, at: number, end: number): CentralRecord {
  if (at + centralBytes > end || view.getUint32(at, true) !== centralSignature)
    throw new Refused("lies", null, "It's damaged: its file list is incomplete.");
  const [nameLength, extraLength, commentLength] = [
    view.getUint16(at + 28, true),
    view.getUint16(at + 30, true),
    view.getUint16(at + 32, true),
  ];
  const next = at + centralBytes + nameLength + extraLength + commentLength;
  if (next > end) throw new Refused("lies", null, "It's damaged: its file list is incomplete.");
  const rawName = bytes.subarray(at + centralBytes, at + centralBytes + nameLength);
  const bits = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const name = decodeName(rawName, bytes.subarray(at + centralBytes + nameLength, at + centralBytes + nameLength + extraLength));
  const [packedSize, size, localAt] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
  const isFolder = name.endsWith("/");

  if ((bits & (flags.encrypted | flags.strongEncryption | flags.maskedHeader)) !== 0 || method === 99)
    throw new Refused("encrypted", name, "It's encrypted.");
  const attributes = view.getUint32(at + 38, true);
  const type = (attributes >>> 16) & types.mask;
  if (type === types.link || (attributes & reparsePoint) !== 0) throw new Refused("link", name, "It's a link, not a file.");
  if (type !== 0 && type !== (isFolder ? types.folder : types.file)) throw new Refused("link", name, "It's neither a file nor a folder.");
  if (method !== methods.stored && method !== methods.deflated)
    throw new Refused("not-a-zip", name, `It uses a compression method that Vibey can't read (${method}).`);
  if ([packedSize, size, localAt].includes(elsewhere32) || view.getUint16(at + 34, true) !== 0)
    throw new Refused("not-a-zip", name, "It's in Zip64 format or in another part of the archive, which Vibey can't read.");
  if (isFolder && size !== 0) throw new Refused("lies", name, "It's a folder with file contents.");
  if (method === methods.stored && packedSize !== size) throw new Refused("lies", name, "It's damaged: its sizes don't match.");
  return {
    name,
    rawName,
    isFolder,
    flags: bits,
    method,
    deflated: method === methods.deflated,
    crc: view.getUint32(at + 16, true),
    packedSize,
    size,
    mtime: fromDosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
    at: localAt,
    from: 0,
    next,
  };
}

/** UTF-8, whether the entry declares it or not: other encodings are not guessed. */
function decodeName(raw: Uint8Array, extra: Uint8Array): string {
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    // A fatal decoder throws only for invalid UTF-8.
    throw new Refused("unsafe-name", new TextDecoder().decode(raw), "Its name isn't valid UTF-8.");
  }
  const other = extraField(extra, unicodePath);
  // A version and a checksum come before the name.
  if (other && new TextDecoder().decode(other.subarray(5)) !== name) throw new Refused("unsafe-name", name, "It has two different names.");
  return name;
}

function extraField(extra: Uint8Array, wanted: number): Uint8Array | null {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.byteLength);
  for (let at = 0; at + 4 <= extra.length; ) {
    const size = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === wanted) return extra.subarray(at + 4, at + 4 + size);
    at += 4 + size;
  }
  return null;
}

function checkSize(records: readonly CentralRecord[], archive: number, limits: ZipLimits): void {
  let inflated = 0;
  for (const { name, size, packedSize } of records) {
    inflated += size;
    if (size > harmless && size > packedSize * limits.ratio)
      throw new Refused(
        "too-much",
        name,
        `It would expand to more than ${limits.ratio} times its size, like an archive made to fill a disk.`,
      );
  }
  if (inflated > limits.inflated)
    throw new Refused(
      "too-much",
      null,
      `Unpacked it would have ${Math.ceil(inflated / 1_000_000)} MB; ${Math.floor(limits.inflated / 1_000_000)} MB are the most that is opened.`,
    );
  if (inflated > harmless && inflated > archive * limits.ratio)
    throw new Refused(
      "too-much",
      null,
      `It would expand to more than ${limits.ratio} times its size, like an archive made to fill a disk.`,
    );
}

/** The entries that are files, each with its path. */
function namedFiles(records: readonly CentralRecord[], longest?: number): { readonly path: Path; readonly record: CentralRecord }[] {
  const files: { readonly path: Path; readonly record: CentralRecord }[] = [];
  const fileForms = new Map<string, string>();
  const folderForms: string[] = [];
  for (const record of records) {
    const { name, isFolder } = record;
    const path = safePath(isFolder ? name.slice(0, -1) : name, name, longest);
    const form = canonical(path);
    if (isFolder) {
      folderForms.push(form);
      continue;
    }
    const same = fileForms.get(form);
    if (same !== undefined)
      throw new Refused(
        "same-name",
        name,
        same === name ? "It is in the archive twice." : `Its name is the same as ${JSON.stringify(same)}, but for how it is written.`,
      );
    fileForms.set(form, name);
    files.push({ path, record });
  }
  const twin = fileInPlaceOfFolder([...fileForms.keys()], folderForms);
  if (twin !== null) throw new Refused("same-name", fileForms.get(twin) ?? twin, "The same name is used for a file and a folder.");
  return files;
}

/** A file whose name is also that of a folder. Null if there is none. Avoids a list of all folders, of which 20,000 names can have ten million. */
function fileInPlaceOfFolder(files: readonly string[], folders: readonly string[]): string | null {
  const sorted = [...files, ...folders.map((folder) => `${folder}/`)].toSorted(byCodeUnit);
  /** The first name that does not sort before this one. */
  const firstFrom = (name: string): string => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle] ?? "") < name) low = middle + 1;
      else high = middle;
    }
    return sorted[low] ?? "";
  };
  return files.find((file) => firstFrom(`${file}/`).startsWith(`${file}/`)) ?? null;
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function safePath(text: string, name: string, longest?: number): Path {
  const parsed = parsePath(text, longest);
  if (!parsed.ok) throw new Refused("unsafe-name", name, `Its name isn't safe: ${parsed.failure.why}.`);
  if (/^[A-Za-z]:/.test(text)) throw new Refused("unsafe-name", name, "Its name isn't safe: it starts with a drive letter.");
  const form = canonicalText(text);
  if (form === null || form === "" || form.split("/").length !== text.split("/").length)
    throw new Refused("unsafe-name", name, "Its name isn't safe: on some systems it points to another location.");
  return parsed.path;
}

/** Checks that each entry's local header matches the directory, and that no two entries share a byte. */
function checkPlaces(records: readonly CentralRecord[], bytes: Uint8Array, view: DataView, directoryAt: number): void {
  let before = 0;
  for (const record of records.toSorted((a, b) => a.at - b.at)) {
    const { name, at, rawName } = record;
    const lie = (why: string) => new Refused("lies", name, why);
    if (at < before) throw lie("It shares its place with another entry.");
    if (at + localBytes > directoryAt || view.getUint32(at, true) !== localSignature) throw lie("There is nothing where it is said to be.");
    const [nameLength, extraLength] = [view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    const from = at + localBytes + nameLength + extraLength;
    const end = from + record.packedSize;
    if (end > directoryAt) throw lie("It is said to be longer than the archive.");
    const local = bytes.subarray(at + localBytes, at + localBytes + nameLength);
    if (local.length !== rawName.length || local.some((byte, index) => byte !== rawName[index]))
      throw lie("It has one name in the directory and another one at its place.");
    if (view.getUint16(at + 6, true) !== record.flags || view.getUint16(at + 8, true) !== record.method)
      throw lie("The directory says otherwise how it is packed than its own header.");
    const said = [14, 18, 22].map((offset) => view.getUint32(at + offset, true));
    const meant = [record.crc, record.packedSize, record.size];
    const later = (record.flags & flags.descriptor) !== 0;
    if (said.some((value, index) => value !== meant[index] && !(later && value === 0)))
      throw lie("Its sizes in the directory are not those of its own header.");
    record.from = from;
    before = later ? afterDescriptor(view, end, directoryAt, meant) : end;
    if (before < 0) throw lie("Its sizes in the directory are not those that follow its contents.");
  }
}

/** The end of the descriptor after an entry's data. -1 if there is none with these values. */
function afterDescriptor(view: DataView, at: number, end: number, meant: readonly number[]): number {
  const says = (from: number) => from + 12 <= end && meant.every((value, index) => view.getUint32(from + 4 * index, true) === value);
  if (at + 4 <= end && view.getUint32(at, true) === descriptorSignature && says(at + 4)) return at + 16;
  return says(at) ? at + 12 : -1;
}
