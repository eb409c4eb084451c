import { deleteDB, openDB } from "idb";
import type { CopyAnswer, RecoveryAnswer, RecoveryFrame } from "../../../../src/protocol/index.ts";
import { openRecoveryGate } from "../../../../src/engine/project/recovery/recovery-gate.ts";
import { doubt, type Witnesses } from "../../../../src/engine/project/recovery/doubt.ts";
import { recovery } from "../../../../src/engine/project/recovery/recovery.ts";
import { startCopy } from "../../../../src/engine/project/recovery/second-copy.ts";
import { findCopies, openCopy } from "../../../../src/fs/copy/found.ts";
import { type CopyNote, noteText, readNoteText } from "../../../../src/fs/copy/note.ts";
import type { Files } from "../../../../src/fs/files.ts";
import { type IdbFiles, openIdbFiles } from "../../../../src/fs/idb.ts";
import { StorageError } from "../../../../src/fs/storage-error.ts";
import { commit } from "../../../fs/notation.ts";
import { memoryPlace, type MemoryPlace } from "../../../fs/copy/copying.ts";

/** What a browser stores of a project, to be damaged between two visits. */
export interface World {
  readonly name: string;
  readonly place: MemoryPlace;
  /** The note next to the backup, and the row in the settings. */
  beside: string | null;
  settings: CopyNote | null;
}

export const newWorld = (): World => ({ name: crypto.randomUUID(), place: memoryPlace(), beside: null, settings: null });

export interface Visit {
  ask(method: string, where: string, body?: unknown): Promise<Response>;
  files(): Files;
  /** Updates the backup, or finds that it belongs to other files. Returns the files that have lost bytes. */
  copy(): Promise<readonly string[]>;
  /** The question to the user; null if the project is open. */
  asked(): Promise<RecoveryAnswer | null>;
  choose(body: object): Promise<void>;
  readonly reported: unknown[];
  close(): void;
}

export async function visit(world: World): Promise<Visit> {
  const { name, place } = world;
  const reported: unknown[] = [];
  const report = (error: unknown) => void reported.push(error);
  const later = (then: () => void, ms: number) => void (ms < 10 ? setTimeout(then) : undefined);
  const handles: IdbFiles[] = [];
  let current: Files | null = null;
  const open = async () => {
    const files = await openIdbFiles({ name, now: () => 7 });
    handles.push(files);
    return files;
  };
  const besideNote = async () => (world.beside === null ? null : readNoteText(world.beside));
  const isNoted = async () => world.beside !== null;
  const witnesses: Witnesses = {
    hasCopy: async () => world.beside !== null || place.logs.size > 0,
    place: async () => place,
    isNoted,
    note: besideNote,
    settingsNote: async () => world.settings,
  };
  const answer = await openRecoveryGate({
    open,
    doubt: (files) => doubt(files, witnesses),
    async noteWritten() {
      world.beside ??= "";
      world.settings ??= { revision: null, at: 7, docs: 0, dialogs: 0, files: 0, bytes: 0 };
    },
    makeRoom: async () => false,
    async startEngine(files) {
      await files.lead();
      if (await files.isNew()) await commit(files, "write vibey/doc-main.md welcome");
      current = files;
      return async (request) => new Response(request.url.endsWith("/events") ? new ReadableStream() : "");
    },
    startCopy: async (files, differs) =>
      startCopy({
        source: await files.source(),
        place: async () => place,
        reserve: { keep: async () => undefined, spend: async () => false },
        now: () => 1_000,
        later,
        newId: () => crypto.randomUUID(),
        async note(note) {
          world.settings = note;
          world.beside = noteText(note);
        },
        noted: besideNote,
        differs,
        report,
      }),
    recovery: async (loss, proceed) =>
      recovery({
        name,
        loss,
        place: async () => place,
        open,
        written: isNoted,
        notes: async () => [await besideNote(), world.settings].filter((note) => note !== null),
        proceed,
        later: (then) => void setTimeout(then),
        report,
      }),
    failed: report,
    later: () => undefined,
    report,
  });
  const ask: Visit["ask"] = async (method, where, body) =>
    answer(new Request(`http://engine${where}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));
  const asked = async (): Promise<RecoveryAnswer | null> => {
    for (;;) {
      const response = await ask("GET", "/recovery");
      if (response.status === 200) {
        const text = await response.text();
        return text === "" ? null : (JSON.parse(text) as RecoveryAnswer);
      }
      // The engine has ended, and the recovery is starting.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return {
    reported,
    ask,
    asked,
    files() {
      if (!current) throw new Error("there is no engine");
      return current;
    },
    async copy() {
      for (;;) {
        const response = await ask("GET", "/copy");
        if (response.status !== 200) return [];
        const { kept, trouble, damaged } = (await response.json()) as CopyAnswer;
        if (trouble !== null || kept !== null) return damaged;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    async choose(body) {
      const text = await (await ask("POST", "/recovery", body)).text();
      const frames = text.split("\n\n").flatMap((frame) => (frame === "" ? [] : [JSON.parse(frame.slice(6)) as RecoveryFrame]));
      const last = frames.at(-1);
      if (last?.type !== "done") throw new Error(`${JSON.stringify(body)} ended with ${JSON.stringify(last)}`);
    },
    close() {
      for (const files of handles) files.close();
      place.held.clear();
    },
  };
}

/** A visit that makes these commits and backs them up at its end. */
export async function live(world: World, commits: readonly string[], { copies } = { copies: true }): Promise<void> {
  const at = await visit(world);
  for (const one of commits) await commit(at.files(), one);
  if (copies) await at.copy();
  at.close();
}

/** Opens the project and its backup. Returns whether the user is asked, and which files have lost bytes. */
export async function look(world: World): Promise<{ readonly asked: boolean; readonly damaged: readonly string[] }> {
  const at = await visit(world);
  const damaged = (await at.asked()) === null ? await at.copy() : [];
  const asked = (await at.asked()) !== null;
  at.close();
  return { asked, damaged };
}

/** Opens the project, and chooses this option. */
export async function choose(world: World, action: "both" | "keep" | "restore"): Promise<void> {
  const at = await visit(world);
  await at.choose({ action, generation: (await at.asked())?.copies[0]?.generation });
  at.close();
}

/** The records of a database. */
export type Dump = readonly (readonly [store: string, rows: readonly (readonly [key: IDBValidKey, value: unknown])[]])[];

export async function dump(name: string): Promise<Dump> {
  return raw(name, async (db) =>
    Promise.all(
      [...db.objectStoreNames].map(async (store) => {
        const [keys, values] = await Promise.all([db.getAllKeys(store), db.getAll(store)]);
        return [store, keys.map((key, at) => [key, structuredClone(values[at])] as const)] as const;
      }),
    ),
  );
}

export async function load(name: string, stores: Dump): Promise<void> {
  await deleteDB(name);
  (await openIdbFiles({ name, now: () => 7 })).close();
  await raw(name, async (db) => {
    for (const [store, rows] of stores) {
      await db.clear(store);
      for (const [key, value] of rows) await (store === "names" ? db.put(store, value) : db.put(store, value, key));
    }
  });
}

export const row = (of: Dump, store: string, key: string): unknown =>
  of.find(([name]) => name === store)?.[1].find(([found]) => found === key)?.[1];

export type Raw = Awaited<ReturnType<typeof openDB>>;

export async function raw<T>(name: string, work: (db: Raw) => Promise<T>): Promise<T> {
  const db = await openDB(name);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** The texts that the database can still read, by path. */
export async function readable(world: World): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  try {
    const files = await openIdbFiles({ name: world.name, now: () => 7 });
    for (const { path } of await files.list()) {
      try {
        found.set(path, new TextDecoder().decode((await files.read(path))?.bytes));
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
      }
    }
    files.close();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
  }
  return found;
}

/** The texts of the newest complete backup, by path. */
export async function copied({ place }: World): Promise<Map<string, string>> {
  const [newest] = (await findCopies(place, true)).copies;
  const open = newest && (await openCopy(place, newest));
  const found = new Map((open ? newest.files : []).map((file) => [String(file.path), new TextDecoder().decode(open?.content(file))]));
  open?.close();
  return found;
}

export const logsOf = ({ place }: World): Record<number, string> =>
  Object.fromEntries([...place.logs].map(([generation, bytes]) => [generation, Buffer.from(bytes).toString("base64")]));
