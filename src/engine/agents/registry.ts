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
  /** In `vibey/`, and named as a file has to be whose agent can be started. */
  readonly isWellNamed: boolean;
  readonly text: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly hash: string;
  readonly version: number;
  readonly mtime: number;
}

/** The agents that the files of a project describe. A file is read once for each version of it. */
export interface Registry {
  /** Yours first, then the others; by slug, then by path. */
  all(): Promise<readonly Registered[]>;
  /** The one that this slug means. */
  find(slug: string): Promise<Registered | null>;
}

/**
 * The one file that a slug means: one of yours before the others', and of several of yours the one that is named as it should be. Where
 * none of several is, no one can say which is meant.
 */
export function resolveSlug(all: readonly Registered[], slug: string): Registered | null {
  const same = all.filter(({ definition }) => definition.slug === slug);
  const own = same.filter(({ place }) => place === "yours");
  if (own.length === 0) return same[0] ?? null;
  return own.find((one) => one.isWellNamed) ?? (own.length === 1 ? (own[0] ?? null) : null);
}

/** Those that can be started, mentioned and launched, each by its own slug. */
export function usableOnes(all: readonly Registered[]): readonly Registered[] {
  return all.filter(
    (one) => one.isWellNamed && one.definition.fields.isActive && !one.definition.isSystem && resolveSlug(all, one.definition.slug) === one,
  );
}

/** Bytes of a file that is read as an agent. */
const largest = 200_000;
/** Files, and bytes of them, that are read as agents before others have a turn: hostile front matter costs a tenth of a second for each 64 KB. */
const batchLimits = { files: 64, bytes: 64_000 };

const yours = /^vibey\/agent-[^/]+\.md$/;
export const placeOf = (path: Path): Registered["place"] | null => (yours.test(path) ? "yours" : isForeignAgent(path) ? "found" : null);

/** `places`: the files of others may be many, and anyone can write them. */
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

/** A file that can't be read is an agent with a problem; the others still are. */
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
