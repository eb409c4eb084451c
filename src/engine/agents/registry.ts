import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { FileContent, Files, FileStat } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { isForeignAgent } from "../../protocol/foreign-files.ts";
import { batches } from "../../shell/batches.ts";
import { readEach } from "../read-each.ts";
import type { Definition } from "./definition.ts";
import { isWellNamed, readDefinition } from "./read-definition.ts";

/** An agent's file, read. */
export interface Registered {
  readonly definition: Definition;
  readonly place: "yours" | "found";
  /** The file is in `vibey/`, and its name lets its agent be started. */
  readonly isWellNamed: boolean;
  readonly text: string;
  /** The SHA-256 of the file, in hexadecimal. */
  readonly hash: string;
  readonly version: number;
  readonly mtime: number;
}

/** The agents that the files of a project describe. Each version of a file is read once. */
export interface Registry {
  /** Your agents first, then the others, sorted by slug and path. */
  all(): Promise<readonly Registered[]>;
  /** The agent that this slug means. */
  find(slug: string): Promise<Registered | null>;
}

/**
 * The one file that a slug means. Your agents come before the others. Among several of yours, it is the file with the correct name. If none has
 * the correct name, the slug is ambiguous.
 */
export function resolveSlug(all: readonly Registered[], slug: string): Registered | null {
  const same = all.filter(({ definition }) => definition.slug === slug);
  const own = same.filter(({ place }) => place === "yours");
  if (own.length === 0) return same[0] ?? null;
  return own.find((one) => one.isWellNamed) ?? (own.length === 1 ? (own[0] ?? null) : null);
}

/** The agents that can be started, mentioned and launched, each by its own slug. */
export function usableOnes(all: readonly Registered[]): readonly Registered[] {
  return all.filter(
    (one) => one.isWellNamed && one.definition.fields.isActive && !one.definition.isSystem && resolveSlug(all, one.definition.slug) === one,
  );
}

/** The maximum size of an agent file, in bytes. */
const largest = 200_000;
/** How many files and bytes are read before other work runs. Malicious front matter takes a tenth of a second per 64 KB. */
const batchLimits = { files: 64, bytes: 64_000 };

const yours = /^vibey\/agent-[^/]+\.md$/;
export const placeOf = (path: Path): Registered["place"] | null => (yours.test(path) ? "yours" : isForeignAgent(path) ? "found" : null);

/** `places` excludes files of others, because there can be many and anyone can write them. */
export function createRegistry(
  files: Pick<Files, "list" | "readMany">,
  places: readonly Registered["place"][] = ["yours", "found"],
): Registry {
  const isRead = (path: Path): boolean => {
    const place = placeOf(path);
    return place !== null && places.includes(place);
  };
  let known = new Map<Path, Registered>();

  async function all(): Promise<readonly Registered[]> {
    const stats = (await files.list()).filter(({ path }) => isRead(path));
    const now = new Map<Path, Registered>();
    for (const stat of stats) {
      const same = known.get(stat.path);
      if (same?.version === stat.version) now.set(stat.path, same);
    }
    const unknown = stats.filter(({ path }) => !now.has(path));
    for (const batch of batches(unknown, ({ size }) => size, batchLimits)) {
      for (const one of await readThem(files, batch)) now.set(one.definition.path, one);
    }
    known = now;
    return [...now.values()].toSorted(inOrder);
  }

  return { all, find: async (slug) => resolveSlug(await all(), slug) };
}

function inOrder(a: Registered, b: Registered): number {
  if (a.place !== b.place) return a.place === "yours" ? -1 : 1;
  const [one, other] = [a, b].map(({ definition }) => `${definition.slug}\n${definition.path}`);
  return one === undefined || other === undefined || one === other ? 0 : one < other ? -1 : 1;
}

/** A file that can't be read becomes an agent with a problem. The other files are still read. */
async function readThem(files: Pick<Files, "readMany">, batch: readonly FileStat[]): Promise<Registered[]> {
  const small = batch.filter(({ size }) => size <= largest);
  const tooLarge = batch
    .filter(({ size }) => size > largest)
    .map((stat) => unread(stat, `The file is larger than ${largest.toLocaleString("en-US")} bytes.`));
  const contents = await readEach(
    files,
    small.map(({ path }) => path),
  );
  const read = small.flatMap((stat, at) => {
    const content = contents[at];
    if (content instanceof StorageError) return [unread(stat, `The file can't be read: ${content.message}`)];
    return content ? [readOne(content)] : [];
  });
  return [...tooLarge, ...read];
}

function readOne({ path, bytes, version, mtime }: FileContent): Registered {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return { definition: readDefinition(path, text), ...placed(path), text, hash: bytesToHex(sha256(bytes)), version, mtime };
}

function unread({ path, version, mtime }: FileStat, problem: string): Registered {
  const definition = readDefinition(path, "");
  // We don't know which tools it would remove, so it gets none.
  const fields = { ...definition.fields, tools: [] };
  const problems = [...definition.problems, problem];
  return { definition: { ...definition, fields, problems }, ...placed(path), text: "", hash: "", version, mtime };
}

const placed = (path: Path): Pick<Registered, "place" | "isWellNamed"> => ({
  place: placeOf(path) ?? "found",
  isWellNamed: isWellNamed(path),
});
