/** Runs in a browser worker: stores fifty streams, either in IndexedDB as the engine does, or in OPFS in the plainest way. */
import { noLog } from "../tests/engine/log/no-log.ts";
import { dialogStore, type Tracked } from "../src/engine/dialogs/store.ts";
import { openIdbFiles } from "../src/fs/idb.ts";
import { vibeyPath } from "../src/fs/vibey-name.ts";
import { random, text as textOf, wide } from "./corpus.ts";

export interface StorageJob {
  readonly kind: "idb" | "opfs";
  readonly streams: number;
  readonly tokensPerSecond: number;
  readonly seconds: number;
}

export interface StorageDone {
  /** Write transactions per second. */
  readonly transactions: number;
  /** Bytes handed to the store for each byte of text. */
  readonly written: number;
}

const flushMs = 100;
const words = textOf(20_000, random(3), `abcdefghijklmnop${wide}`).split(" ");
const later = (then: () => void, ms: number) => void setTimeout(then, ms);

/** Calls `token` for each stream, `tokensPerSecond` times a second. A late tick sends the tokens that it missed. */
function stream({ streams, tokensPerSecond, seconds }: StorageJob, token: (stream: number, text: string) => void): Promise<number> {
  return new Promise((resolve) => {
    const started = performance.now();
    let ticks = 0;
    let bytes = 0;
    const encoder = new TextEncoder();
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - started) / 1000) * tokensPerSecond);
      for (; ticks < due; ticks += 1) {
        for (let one = 0; one < streams; one += 1) {
          const word = `${words[(ticks * 31 + one) % words.length] ?? ""} `;
          bytes += encoder.encode(word).length;
          token(one, word);
        }
      }
      if (ticks < tokensPerSecond * seconds) return;
      clearInterval(timer);
      resolve(bytes);
    }, 1000 / tokensPerSecond);
  });
}

async function idb(job: StorageJob): Promise<StorageDone> {
  let transactions = 0;
  let written = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below.
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function counted(...given: Parameters<typeof transaction>) {
    if (given[1] === "readwrite") transactions += 1;
    return transaction.apply(this, given);
  };
  for (const method of ["put", "add"] as const) {
    const original = IDBObjectStore.prototype[method];
    IDBObjectStore.prototype[method] = function counted(value: unknown, key?: IDBValidKey) {
      written += sizeOf(value);
      return key === undefined ? original.call(this, value) : original.call(this, value, key);
    };
  }
  const files = await openIdbFiles({ name: `bench-${Date.now()}`, now: () => Date.now() });
  const epoch = await files.lead();
  const store = dialogStore({ files, epoch, flushMs, log: noLog, later, report: (error) => console.error(error) });
  const entries: Tracked[] = [];
  for (let one = 0; one < job.streams; one += 1) {
    const path = vibeyPath(`dialog-20260101-00000${one % 10}-s${one}-active.md`);
    const stored = await store.other([{ op: "write", path, data: "# Dialog\n" }], { durability: "relaxed" });
    if (!stored.ok) throw new Error(stored.failure.kind);
    const lost = () => {
      throw new Error("streamed text was lost");
    };
    entries.push({ path, version: stored.version, buffered: [], news: [], lost });
  }
  [transactions, written] = [0, 0];
  const bytes = await stream(job, (one, word) => {
    const entry = entries[one];
    if (entry) store.buffer(entry, [{ op: "append", text: word }], []);
  });
  await store.flush();
  return { transactions: transactions / job.seconds, written: written / bytes };
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return new TextEncoder().encode(value).length;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Blob) return value.size;
  if (typeof value === "object" && value !== null)
    return Object.entries(value).reduce((sum, [key, inner]) => sum + key.length + sizeOf(inner), 0);
  return 8;
}

/** The DOM library declares these only for workers, and this file is checked with the page's library. */
interface SyncFile {
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  getSize(): number;
  close(): void;
}

async function opfs(job: StorageJob): Promise<StorageDone> {
  const root = await navigator.storage.getDirectory();
  const handles: SyncFile[] = [];
  for (let one = 0; one < job.streams; one += 1) {
    const file = await root.getFileHandle(`stream-${Date.now()}-${one}`, { create: true });
    handles.push(await (file as unknown as { createSyncAccessHandle(): Promise<SyncFile> }).createSyncAccessHandle());
  }
  const waiting = handles.map(() => "");
  const encoder = new TextEncoder();
  const flush = () => {
    waiting.forEach((text, one) => {
      const handle = handles[one];
      if (text === "" || !handle) return;
      handle.write(encoder.encode(text), { at: handle.getSize() });
      waiting[one] = "";
    });
  };
  const timer = setInterval(flush, flushMs);
  await stream(job, (one, word) => {
    waiting[one] += word;
  });
  clearInterval(timer);
  flush();
  for (const handle of handles) handle.close();
  return { transactions: 0, written: 1 };
}

self.addEventListener("message", ({ data }: MessageEvent<StorageJob>) => void run(data));

async function run(job: StorageJob): Promise<void> {
  try {
    self.postMessage(await (job.kind === "idb" ? idb(job) : opfs(job)));
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
}
