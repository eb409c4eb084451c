import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { FileContent, Files, FileStat } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { isForeignAgent } from "../../protocol/foreign-files.ts";
import { fileBatches } from "../file-batches.ts";
import type { Definition } from "./definition.ts";
import { readDefinition } from "./read-definition.ts";

/** An agent's file, read. */
export interface Registered {
  readonly definition: Definition;
  readonly place: "yours" | "found";
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
  /** The one of that slug; yours where there are several. */
  find(slug: string): Promise<Registered | null>;
}

/** Bytes of a file that is read as an agent. */
const largest = 200_000;

const yours = /^vibey\/agent-[^/]+\.md$/;
export const placeOf = (path: Path): Registered["place"] | null => (yours.test(path) ? "yours" : isForeignAgent(path) ? "found" : null);

export function createRegistry(files: Pick<Files, "list" | "readMany">): Registry {
  let known = new Map<Path, Registered>();

  async function all(): Promise<readonly Registered[]> {
    const stats = (await files.list()).filter(({ path }) => placeOf(path) !== null);
    const now = new Map<Path, Registered>();
    for (const stat of stats) {
      const same = known.get(stat.path);
      if (same?.version === stat.version) now.set(stat.path, same);
    }
    for (const batch of fileBatches(
      stats.filter(({ path }) => !now.has(path)),
      (stat) => stat,
    )) {
      for (const one of await readThem(files, batch)) now.set(one.definition.path, one);
    }
    known = now;
    return [...now.values()].toSorted(inOrder);
  }

  return { all, find: async (slug) => (await all()).find(({ definition }) => definition.slug === slug) ?? null };
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
  try {
    const contents = await files.readMany(small.map(({ path }) => path));
    return [...tooLarge, ...contents.flatMap((content) => (content ? [readOne(content)] : []))];
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const [only] = small;
    if (only && small.length === 1) return [...tooLarge, unread(only, `The file can't be read: ${error.message}`)];
    return [...tooLarge, ...(await Promise.all(small.map((stat) => readThem(files, [stat])))).flat()];
  }
}

function readOne({ path, bytes, version, mtime }: FileContent): Registered {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return { definition: readDefinition(path, text), place: placeOf(path) ?? "found", text, hash: bytesToHex(sha256(bytes)), version, mtime };
}

function unread({ path, version, mtime }: FileStat, problem: string): Registered {
  const definition = readDefinition(path, "");
  return { definition: { ...definition, problems: [problem] }, place: placeOf(path) ?? "found", text: "", hash: "", version, mtime };
}
