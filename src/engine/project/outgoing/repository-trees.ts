import { toHex } from "../../../fs/bytes.ts";
import { objectName } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import { limits } from "../../../protocol/limits.ts";

export interface CommittedPaths {
  /** Files that a commit names, under their paths there. */
  readonly paths: ReadonlySet<string>;
  /** Nothing was left out: no pack, which is not looked into, no object that can't be read, and not too many of them. */
  readonly isWhole: boolean;
  /** A commit has a link among its files. */
  readonly links: boolean;
}

interface Entry {
  readonly name: string;
  readonly oid: string;
  readonly kind: "folder" | "link" | "other";
}

/** The files in a repository's commits, of whatever branch, and of none. `read` is asked for one object after another. */
export async function committedPaths(
  files: ReadonlyMap<string, Path>,
  read: (path: Path) => Promise<Uint8Array | null>,
): Promise<CommittedPaths> {
  const trees = new Map<string, readonly Entry[]>();
  const roots = new Set<string>();
  const objects = [...files].filter(([rel]) => objectName.test(rel)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  let isWhole = objects.length <= limits.outgoingObjects;
  for (const [rel, path] of objects.slice(0, limits.outgoingObjects)) {
    const packed = rel.startsWith("objects/pack/") ? null : await read(path);
    const object = packed && (await looseObject(packed));
    if (!object) isWhole = false;
    else if (object.type === "commit") roots.add(/^tree ([0-9a-f]{40})\n/.exec(decoder.decode(object.bytes.subarray(0, 46)))?.[1] ?? "");
    else if (object.type === "tree") trees.set(rel.slice("objects/".length).replace("/", ""), entriesOf(object.bytes));
  }
  const paths = new Set<string>();
  let links = false;
  const walked = new Set<string>();
  const waiting = [...roots].map((oid) => ({ oid, prefix: "" }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { oid, prefix } = next;
    const entries = trees.get(oid);
    if (!entries) isWhole = false;
    const place = `${oid} ${prefix}`;
    if (!entries || walked.has(place)) continue;
    if (walked.size >= limits.outgoingObjects || prefix.length > longestPath) {
      isWhole = false;
      break;
    }
    walked.add(place);
    for (const { name, oid: of, kind } of entries) {
      if (kind === "link") links = true;
      if (kind === "folder") waiting.push({ oid: of, prefix: `${prefix}${name}/` });
      else paths.add(prefix + name);
    }
  }
  return { paths, isWhole, links };
}

/** A folder that is in itself, by a forged name, has no end. */
const longestPath = 4_096;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function entriesOf(bytes: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) break;
    const kind = kindOf(decoder.decode(bytes.subarray(at, space)));
    entries.push({ name: decoder.decode(bytes.subarray(space + 1, end)), oid: toHex(bytes.subarray(end + 1, end + 21)), kind });
    at = end + 21;
  }
  return entries;
}

/** By the bits that git looks at: of an octal number however long, with whatever permissions. */
function kindOf(mode: string): Entry["kind"] {
  const bits = Number.parseInt(mode.slice(-6), 8) & 0o170000;
  return bits === 0o040000 ? "folder" : bits === 0o120000 ? "link" : "other";
}

/** An object in a file of its own; the content of a blob is not unpacked. Null: it can't be read, or is too large a tree. */
async function looseObject(packed: Uint8Array): Promise<{ readonly type: string; readonly bytes: Uint8Array } | null> {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  // What fails here fails at the reader as well.
  const written = writer
    .write(new Uint8Array(packed))
    .then(
      () => writer.close(),
      () => undefined,
    )
    .catch(() => undefined);
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.readable.getReader();
  let plain = new Uint8Array();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const joined = new Uint8Array(plain.length + next.value.length);
      joined.set(plain);
      joined.set(next.value, plain.length);
      plain = joined;
      if (plain.length >= 5 && !/^(?:tree |commit)/.test(decoder.decode(plain.subarray(0, 6)))) break;
      if (plain.length > limits.outgoingTreeBytes) return null;
    }
  } catch {
    return null;
  } finally {
    await reader.cancel().catch(() => undefined);
    await written;
  }
  const end = plain.indexOf(0);
  const type = /^([a-z]+) \d+$/.exec(decoder.decode(plain.subarray(0, Math.max(0, Math.min(end, 40)))))?.[1];
  return type === undefined ? null : { type, bytes: plain.subarray(end + 1) };
}
