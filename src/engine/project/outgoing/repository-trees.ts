import { toHex } from "../../../fs/bytes.ts";
import { objectName } from "../../../fs/git-name.ts";
import type { Path } from "../../../fs/path.ts";
import { limits } from "../../../protocol/limits.ts";

export interface CommittedPaths {
  /** The files that commits name, with their paths there. */
  readonly paths: ReadonlySet<string>;
  /** Whether nothing was left out: no pack (packs aren't read), no unreadable object, and not too many objects. */
  readonly isWhole: boolean;
  /** Whether a commit has a link among its files. */
  readonly links: boolean;
  /** The files that `git stash apply` may write for a stash, by the stash's commit. Null if unknown. */
  readonly stashed: (commit: string) => readonly string[] | null;
}

export const noCommits: CommittedPaths = { paths: new Set(), isWhole: true, links: false, stashed: () => [] };

interface Entry {
  readonly name: string;
  readonly mode: string;
  readonly oid: string;
  readonly kind: "folder" | "link" | "other";
}

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
}

type Trees = ReadonlyMap<string, readonly Entry[]>;

/** The files in a repository's commits, whether or not a branch has them. `read` is called for one object after another. */
export async function committedPaths(
  files: ReadonlyMap<string, Path>,
  read: (path: Path) => Promise<Uint8Array | null>,
): Promise<CommittedPaths> {
  const trees = new Map<string, readonly Entry[]>();
  const commits = new Map<string, Commit>();
  const objects = [...files].filter(([rel]) => objectName.test(rel)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  let isWhole = objects.length <= limits.outgoingObjects;
  for (const [rel, path] of objects.slice(0, limits.outgoingObjects)) {
    const packed = rel.startsWith("objects/pack/") ? null : await read(path);
    const object = packed && (await looseObject(packed));
    const oid = rel.slice("objects/".length).replace("/", "");
    if (!object) isWhole = false;
    else if (object.type === "commit") commits.set(oid, commitOf(object.bytes));
    else if (object.type === "tree") trees.set(oid, entriesOf(object.bytes));
  }
  const paths = new Set<string>();
  let links = false;
  const roots = new Set([...commits.values()].map(({ tree }) => tree));
  const isRead = walk(trees, roots, (path, { kind }) => {
    if (kind === "link") links = true;
    paths.add(path);
  });
  isWhole &&= isRead;
  return { paths, isWhole, links, stashed: (commit) => (isWhole ? stashedFiles(trees, commits, commit) : null) };
}

/** Reports every file in these trees. Returns false if not all can be read. */
function walk(trees: Trees, roots: Iterable<string>, tell: (path: string, entry: Entry) => void): boolean {
  let isWhole = true;
  const walked = new Set<string>();
  const waiting = Array.from(roots, (oid) => ({ oid, prefix: "" }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { oid, prefix } = next;
    const entries = trees.get(oid);
    if (!entries) isWhole = false;
    const place = `${oid} ${prefix}`;
    if (!entries || walked.has(place)) continue;
    if (walked.size >= limits.outgoingObjects || prefix.length > maxPathLength) return false;
    walked.add(place);
    for (const entry of entries) {
      if (entry.kind === "folder") waiting.push({ oid: entry.oid, prefix: `${prefix}${entry.name}/` });
      else tell(prefix + entry.name, entry);
    }
  }
  return isWhole;
}

/** What the stash and its index have changed, and all its untracked files: Git writes these even if they should be kept out. */
function stashedFiles(trees: Trees, commits: ReadonlyMap<string, Commit>, stash: string): string[] | null {
  const of = commits.get(stash);
  const [base, index, ...untracked] = (of?.parents ?? []).map((parent) => commits.get(parent));
  if (!of || [base, index, ...untracked].includes(undefined)) return null;
  const before = new Map<string, string>();
  const found = new Set<string>();
  const key = ({ mode, oid }: Entry) => `${mode} ${oid}`;
  if (base) walk(trees, [base.tree], (path, entry) => void before.set(path, key(entry)));
  for (const one of [of, index])
    if (one) walk(trees, [one.tree], (path, entry) => void (before.get(path) !== key(entry) && found.add(path)));
  for (const one of untracked) if (one) walk(trees, [one.tree], (path) => void found.add(path));
  return [...found];
}

/** With a forged name, a folder could contain itself without end. */
const maxPathLength = 4_096;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function commitOf(bytes: Uint8Array): Commit {
  const [, tree = "", parents = ""] = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)/.exec(decoder.decode(bytes)) ?? [];
  return { tree, parents: parents.match(/[0-9a-f]{40}/g) ?? [] };
}

function entriesOf(bytes: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) break;
    const mode = decoder.decode(bytes.subarray(at, space));
    const name = decoder.decode(bytes.subarray(space + 1, end));
    entries.push({ name, mode, oid: toHex(bytes.subarray(end + 1, end + 21)), kind: kindOf(mode) });
    at = end + 21;
  }
  return entries;
}

/** Uses only the bits that Git uses: the octal number can be of any length and have any permissions. */
function kindOf(mode: string): Entry["kind"] {
  const bits = Number.parseInt(mode.slice(-6), 8) & 0o170000;
  return bits === 0o040000 ? "folder" : bits === 0o120000 ? "link" : "other";
}

/** A loose object. The content of a blob is not unpacked. Null if it can't be read or the tree is too large. */
async function looseObject(packed: Uint8Array): Promise<{ readonly type: string; readonly bytes: Uint8Array } | null> {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  // An error here also occurs at the reader.
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
