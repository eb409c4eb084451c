/** Runs in a browser worker: commits ten files of a project of 2,000, early and after a thousand commits. */
import { type History, openHistory } from "../src/fs/history/history.ts";
import { openIdbHistoryStore } from "../src/fs/history/idb-store.ts";
import { nameObject, packObject, type StoredObject } from "../src/fs/history/object.ts";
import { type Path, parsePath } from "../src/fs/path.ts";
import { random, text as textOf } from "./corpus.ts";
import { ratio } from "./ratio.ts";

export interface HistoryDone {
  /**
   * The time of a commit of ten files after a thousand commits, as a multiple of the time after ten; and as a multiple of storing only the
   * contents.
   */
  readonly grown: number;
  readonly againstPlain: number;
  /** The fastest of many runs, in milliseconds: a commit after a thousand commits; a page of the list; a page of the commits of one file. */
  readonly commit: number;
  readonly list: number;
  readonly listOfFile: number;
}

const author = { name: "Agent x", address: "agent@vibey.invalid" };
const words = textOf(200_000, random(7), "abcdefghijklmnop \n");
const encoder = new TextEncoder();
let version = 0;

function pathOf(n: number): Path {
  const parsed = parsePath(`src/part${n % 40}/deep${n % 7}/file${n}.ts`);
  if (!parsed.ok) throw new Error(parsed.failure.why);
  return parsed.path;
}

function contentOf(): Uint8Array {
  version += 1;
  const at = (version * 997) % 190_000;
  return encoder.encode(`${version}\n${words.slice(at, at + 5000)}`);
}

/** Makes a history of 2,000 files with `commits` more commits. Returns it with a function that commits ten of its files. */
async function made(name: string, commits: number): Promise<{ readonly history: History; readonly commitTen: () => Promise<void> }> {
  const history = await openHistory(await openIdbHistoryStore(name));
  async function commit(files: readonly number[]): Promise<void> {
    const done = await history.commit({
      author,
      time: 1_760_000_000_000 + version,
      summary: () => "a turn",
      trailers: [["Dialog", "x"]],
      files: files.map((n) => {
        const bytes = contentOf();
        const content = { path: pathOf(n), version, mtime: version, size: bytes.length, bytes };
        return { path: content.path, read: async () => content };
      }),
      notes: [],
    });
    if (!done.ok) throw new Error(done.failure.kind);
  }
  const commitTen = () => commit(Array.from({ length: 10 }, (_, n) => (version * 13 + n * 211) % 2000));
  await commit(Array.from({ length: 2000 }, (_, n) => n));
  for (let n = 0; n < commits; n += 1) await commitTen();
  return { history, commitTen };
}

async function fastest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 20; run += 1) {
    const started = performance.now();
    await work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

async function bench(): Promise<HistoryDone> {
  const young = await made("bench-young", 9);
  const old = await made("bench-old", 1000);
  const other = await openIdbHistoryStore("bench-plain");
  const epoch = await other.lead();
  const plain = async () => {
    const objects: StoredObject[] = [];
    for (let n = 0; n < 10; n += 1) objects.push(await packObject(await nameObject("blob", contentOf())));
    await other.write({ objects }, epoch);
  };
  return {
    grown: await ratio(old.commitTen, young.commitTen),
    againstPlain: await ratio(old.commitTen, plain),
    commit: await fastest(old.commitTen),
    list: await fastest(() => old.history.log({ limit: 50 })),
    listOfFile: await fastest(() => old.history.log({ limit: 50, path: pathOf(3) })),
  };
}

async function outcome(): Promise<HistoryDone | { failed: string }> {
  try {
    return await bench();
  } catch (error) {
    return { failed: String(error) };
  }
}

self.postMessage(await outcome());
