import { forceCloseDatabase } from "fake-indexeddb";
import { deleteDB, openDB } from "idb";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { soon } from "../../../soon.ts";
import type { CopyAnswer, RecoveryAnswer, RecoveryFrame } from "../../../../src/protocol/index.ts";
import { openRecoveryGate } from "../../../../src/engine/project/recovery/recovery-gate.ts";
import { doubt, type Witnesses } from "../../../../src/engine/project/recovery/doubt.ts";
import { recovery } from "../../../../src/engine/project/recovery/recovery.ts";
import { startCopy } from "../../../../src/engine/project/recovery/second-copy.ts";
import { spareOlder } from "../../../../src/fs/copy/found.ts";
import type { Files } from "../../../../src/fs/files.ts";
import type { CopyNote } from "../../../../src/fs/copy/note.ts";
import { layoutSteps } from "../../../../src/fs/idb-layout.ts";
import { openIdbFiles } from "../../../../src/fs/idb.ts";
import { StorageError } from "../../../../src/fs/storage-error.ts";
import { memoryPlace, type MemoryPlace } from "../../../fs/copy/copying.ts";
import { commit, path, texts } from "../../../fs/notation.ts";
import { spyOnRequests } from "../../../fs/requests.ts";

/** A tab: its gate, with an engine that returns the texts of the files and writes a welcome into an empty project. */
interface Tab {
  ask(method: string, where: string, body?: unknown): Promise<Response>;
  fetch(request: Request): Promise<Response>;
  /** The engine's files. */
  files(): Files;
  /** Starts the backup, as the engine does when it is idle. */
  copy(): Promise<CopyAnswer>;
  readonly reported: unknown[];
  /** Why it could not continue. */
  readonly failed: string[];
  /** How often everything running was stopped. */
  stops(): number;
}

let name: string;
let place: MemoryPlace;
let opened: Files[];
/** Bytes of the reserve. */
let aside: number;
/** Whether it is noted that something was stored. */
let noted: boolean;
const isNoted = async (): Promise<boolean> => noted;
/** The notes about the backup: next to it, and in the settings. */
const notes: [{ note: CopyNote | null }, { note: CopyNote | null }] = [{ note: null }, { note: null }];
const witnesses: Witnesses = {
  hasCopy: async () => noted || place.logs.size > 0,
  place: async () => place,
  isNoted,
  note: async () => notes[0].note,
  settingsNote: async () => notes[1].note,
};
const reserve = {
  async keep() {
    aside = 262_144;
  },
  async spend() {
    const had = aside > 0;
    aside = 0;
    return had;
  },
};
beforeEach(() => {
  name = crypto.randomUUID();
  place = memoryPlace();
  opened = [];
  aside = 0;
  noted = false;
  for (const kept of notes) kept.note = null;
});
afterEach(() => {
  vi.restoreAllMocks();
  close();
});

/** Closes all tabs. */
function close(): void {
  for (const files of opened) files.close();
  place.held.clear();
}

interface Faults {
  readonly makeRoom?: () => never;
  readonly startEngine?: (tries: number) => void;
}

async function openTab(faults: Faults = {}): Promise<Tab> {
  const reported: unknown[] = [];
  const failed: string[] = [];
  const report = (error: unknown) => void reported.push(error);
  const later = () => undefined;
  let current: Files | null = null;
  let tries = 0;
  let stops = 0;
  const answer = await openRecoveryGate({
    open: () => openIdbFiles({ name, now: () => 7 }),
    doubt: (files) => doubt(files, witnesses),
    noteWritten: async () => {
      noted = true;
    },
    makeRoom: async () => faults.makeRoom?.() ?? spareOlder(place),
    async startEngine(files) {
      opened.push(files);
      tries += 1;
      faults.startEngine?.(tries);
      if ((await files.list()).length === 0) await commit(files, "write vibey/doc-main.md welcome");
      current = files;
      return async (request) => {
        if (request.url.endsWith("/events")) return new Response(new ReadableStream());
        if (request.url.endsWith("/dialogs")) return new Response(`stopped ${(stops += 1)}`);
        return new Response(await texts(files));
      };
    },
    startCopy: async (files, differs) =>
      startCopy({
        source: await files.source(),
        place: async () => place,
        reserve,
        now: () => 1_000,
        later,
        newId: () => crypto.randomUUID(),
        async note(note) {
          for (const kept of notes) kept.note = note;
        },
        noted: witnesses.note,
        differs,
        report,
      }),
    recovery: async (loss, proceed) =>
      recovery({
        name,
        loss,
        place: async () => place,
        open: () => openIdbFiles({ name, now: () => 7 }),
        written: isNoted,
        notes: async () => notes.flatMap(({ note }) => note ?? []),
        proceed,
        later: (then) => void setTimeout(then),
        report,
      }),
    failed: (error) => void failed.push(String(error)),
    later,
    report,
  });
  const ask: Tab["ask"] = async (method, where, body) =>
    answer(new Request(`http://engine${where}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }));
  return {
    reported,
    failed,
    stops: () => stops,
    ask,
    fetch: async (request) => answer(request),
    files() {
      if (!current) throw new Error("there is no engine");
      return current;
    },
    async copy() {
      await ask("GET", "/copy");
      // Asks again until the work that the first request started is done.
      for (;;) {
        const state: CopyAnswer = await (await ask("GET", "/copy")).json();
        if (state.kept !== null || state.trouble !== null) return state;
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    },
  };
}

/** A project with a doc, a dialog and a file, and a backup. All tabs are closed. */
async function hadProject(): Promise<void> {
  const tab = await openTab();
  await commit(tab.files(), "write vibey/doc-main.md mine; write vibey/dialog-20261122-120000-a-waiting.md talk; write index.html made");
  await tab.copy();
  close();
}
const whole = "index.html=made vibey/dialog-20261122-120000-a-waiting.md=talk vibey/doc-main.md=mine";

async function found(tab: Tab): Promise<RecoveryAnswer> {
  return (await tab.ask("GET", "/recovery")).json();
}

async function frames(response: Response): Promise<RecoveryFrame[]> {
  const text = await response.text();
  return text.split("\n\n").flatMap((frame) => (frame === "" ? [] : [JSON.parse(frame.slice("data: ".length)) as RecoveryFrame]));
}

test("a first visit begins a project, without a word", async () => {
  const tab = await openTab();
  expect(await (await tab.ask("GET", "/files")).text()).toBe("vibey/doc-main.md=welcome");
  expect((await tab.ask("GET", "/events")).headers.get("vibey-storage")).toBeNull();
});

/** Ways in which a browser loses a project. */
const losses: readonly (readonly [title: string, why: string, lose: () => Promise<void>])[] = [
  ["is gone", "empty", () => deleteDB(name)],
  [
    "is there, and empty",
    "empty",
    async () => {
      await deleteDB(name);
      (await openIdbFiles({ name, now: () => 0 })).close();
    },
  ],
  ["has lost its names", "empty", () => raw((db) => db.clear("names"))],
  ["has lost its counters", "unreadable", () => raw((db) => db.delete("meta", "counters"))],
  ["has lost its sentinel", "unreadable", () => raw((db) => db.delete("meta", "format"))],
  [
    "is something else",
    "unreadable",
    async () => {
      await deleteDB(name);
      (await openDB(name, 1)).close();
    },
  ],
];

async function raw(work: (db: Awaited<ReturnType<typeof openDB>>) => Promise<unknown>): Promise<void> {
  const db = await openDB(name);
  await work(db);
  db.close();
}

test.each(losses)(
  "a database that %s leads to the recovery, and nothing is written before the human has chosen",
  async (_title, why, lose) => {
    await hadProject();
    await lose();
    for (let visit = 0; visit < 2; visit++) {
      const tab = await openTab();
      const refused = await tab.ask("POST", "/file/doc-main.md", { content: "x" });
      expect([refused.status, refused.headers.get("vibey-storage")]).toEqual([503, "lost"]);
      expect(await found(tab)).toMatchObject({ why, copies: [{ generation: 1, at: 1_000, docs: 1, dialogs: 1, files: 1, torn: false }] });
      expect(() => tab.files()).toThrow("no engine");
      close();
    }
    const tab = await openTab();
    const done = await frames(await tab.ask("POST", "/recovery", { action: "restore", generation: 1 }));
    expect(done.at(-1)).toEqual({ type: "done" });
    expect(await (await tab.ask("GET", "/files")).text()).toBe(whole);
    expect(tab.reported).toEqual([]);
    close();
    const next = await openTab();
    expect(await (await next.ask("GET", "/files")).text()).toBe(whole);
  },
);

test("to start anew is a choice: an empty project, with the copy of the old one still there to be downloaded", async () => {
  await hadProject();
  await deleteDB(name);
  const tab = await openTab();
  expect(await frames(await tab.ask("POST", "/recovery", { action: "anew" }))).toEqual([{ type: "done" }]);
  expect(await (await tab.ask("GET", "/files")).text()).toBe("vibey/doc-main.md=welcome");
  expect(await tab.copy()).toMatchObject({ kept: { at: 1_000 }, earlier: [{ generation: 1, docs: 1, dialogs: 1, files: 1 }] });
  const zip = await tab.ask("GET", "/copy.zip?generation=1");
  expect([zip.status, (await zip.bytes()).length > 100]).toEqual([200, true]);
  expect((await tab.ask("GET", "/copy.zip?generation=9")).status).toBe(404);
  close();
  const next = await openTab();
  expect(await (await next.ask("GET", "/files")).text()).toBe("vibey/doc-main.md=welcome");
});

test("the copy can be downloaded before anything is chosen", async () => {
  await hadProject();
  await deleteDB(name);
  const tab = await openTab();
  const zip = await tab.ask("GET", "/copy.zip?generation=1");
  expect(new TextDecoder().decode((await zip.bytes()).slice(0, 2))).toBe("PK");
  expect((await found(tab)).copies).toHaveLength(1);
});

test("tabs that ask at the same time all hear of the copy, and one of them restores it meanwhile", async () => {
  await hadProject();
  await deleteDB(name);
  const tab = await openTab();
  const asked = [found(tab), found(tab)];
  const restoring = tab.ask("POST", "/recovery", { action: "restore", generation: 1 });
  for (const { copies } of await Promise.all(asked)) expect(copies).toHaveLength(1);
  expect((await frames(await restoring)).at(-1)).toEqual({ type: "done" });
  expect(await (await tab.ask("GET", "/files")).text()).toBe(whole);
});

test("a second choice that arrives slowly, and is whole only when the first one is done, is refused and changes nothing", async () => {
  await hadProject();
  await deleteDB(name);
  const tab = await openTab();
  let send: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
  const slow: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  const late = tab.fetch(new Request("http://engine/recovery", slow));
  expect((await frames(await tab.ask("POST", "/recovery", { action: "restore", generation: 1 }))).at(-1)).toEqual({ type: "done" });
  send?.enqueue(new TextEncoder().encode('{"action":"anew"}'));
  send?.close();
  expect((await late).status).toBe(409);
  expect(await (await tab.ask("GET", "/files")).text()).toBe(whole);
});

test("Settings that are opened before the copy's log is leave the log to it", async () => {
  await hadProject();
  const tab = await openTab();
  const before = { ...place };
  let asked = false;
  let goOn = () => {};
  const first = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  place.generations = async () => {
    if (!asked) {
      asked = true;
      await first;
    }
    return before.generations();
  };
  const open = vi.spyOn(place, "open");
  const answer = tab.ask("GET", "/copy");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(open).not.toHaveBeenCalled();
  goOn();
  const state: CopyAnswer = await (await answer).json();
  expect(state).toMatchObject({ trouble: null, earlier: [] });
  expect(state.kept).not.toBeNull();
  expect([...place.logs.keys()]).toEqual([1]);
});

test.each<[body: unknown, status: number]>([
  [{ action: "restore", generation: 9 }, 404],
  [{ action: "restore" }, 400],
  [{ action: "forget" }, 400],
  [[], 400],
])("%j is answered with %i, and changes nothing", async (body, status) => {
  await hadProject();
  await deleteDB(name);
  const tab = await openTab();
  expect((await tab.ask("POST", "/recovery", body)).status).toBe(status);
  expect((await found(tab)).copies).toHaveLength(1);
});

test("a project whose files were all removed on purpose is no lost one", async () => {
  const tab = await openTab();
  await commit(tab.files(), "remove vibey/doc-main.md");
  await tab.copy();
  close();
  expect(await (await (await openTab()).ask("GET", "/files")).text()).toBe("vibey/doc-main.md=welcome");
});

test("storage that goes away while it is open: who follows it is cut off, and every call says so from then on", async () => {
  const tab = await openTab();
  await commit(tab.files(), "write vibey/doc-main.md mine");
  await tab.copy();
  const events = (await tab.ask("GET", "/events")).text();
  const cut = events.then(() => "ended", String);
  expect([...place.held]).toEqual([1]);
  await deleteDB(name);
  expect(await cut).toContain("another tab upgrades or deletes it");
  const refused = await tab.ask("POST", "/file/doc-main.md", { content: "more" });
  expect([refused.status, refused.headers.get("vibey-storage")]).toEqual([503, "lost"]);
  await expect.poll(async () => (await tab.ask("GET", "/recovery")).status).toBe(200);
  expect(await found(tab)).toMatchObject({ why: "gone", copies: [{ docs: 1 }] });
  await frames(await tab.ask("POST", "/recovery", { action: "restore", generation: 1 }));
  expect(await (await tab.ask("GET", "/files")).text()).toBe("vibey/doc-main.md=mine");
  expect((await tab.ask("GET", "/events")).headers.get("vibey-storage")).toBeNull();
});

test("a browser that closes a database which is whole: the engine goes on with it, and nothing is lost or offered", async () => {
  const { mock } = vi.spyOn(IDBDatabase.prototype, "transaction");
  const tab = await openTab();
  await commit(tab.files(), "write vibey/doc-main.md mine");
  const cut = (await tab.ask("GET", "/events")).text().then(() => "ended", String);
  for (const database of new Set(mock.contexts)) Reflect.apply(forceCloseDatabase, undefined, [database]);
  expect(await cut).toContain("closed by the browser");
  await expect.poll(async () => (await tab.ask("GET", "/files")).status).toBe(200);
  expect(await (await tab.ask("GET", "/files")).text()).toBe("vibey/doc-main.md=mine");
  expect([tab.stops(), tab.reported]).toEqual([1, []]);
});

test("a newer program takes the project over while it is open: it is said, nothing is offered, and another tab may lead", async () => {
  const tab = await openTab();
  (await openDB(name, layoutSteps.length + 1)).close();
  await expect.poll(() => tab.failed).toHaveLength(1);
  expect(tab.failed[0]).toContain("This project was opened in a newer version of Vibey. Reload the page to update.");
  const refused = await tab.ask("GET", "/files");
  // Nothing is lost, and there is nothing to recover.
  expect([refused.status, refused.headers.get("vibey-storage")]).toEqual([503, null]);
  expect(await refused.text()).toContain("newer version");
  await expect(openTab()).rejects.toThrow("Reload the page to update");
});

test("a tab that is frozen has the database open: to start anew says what it waits for, and goes on when that tab is gone", async () => {
  await hadProject();
  await raw((db) => db.delete("meta", "format"));
  const tab = await openTab();
  // A connection that is told about the deletion of the database, and does nothing.
  const frozen = await openDB(name);
  const answer = await tab.ask("POST", "/recovery", { action: "anew" });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('"type":"waiting","message":"Another Vibey tab is still using the old storage.');
  frozen.close();
  let rest = "";
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) rest += read.value;
  expect(rest).toBe('data: {"type":"done"}\n\n');
  expect(await (await tab.ask("GET", "/files")).text()).toBe("vibey/doc-main.md=welcome");
});

test("a copy that another tab has open is waited for, and it is said", async () => {
  await hadProject();
  await deleteDB(name);
  place.held.add(1);
  const tab = await openTab();
  expect(await found(tab)).toMatchObject({ why: "empty", copies: [], held: true, trouble: null });
  place.held.clear();
  expect(await found(tab)).toMatchObject({ copies: [{ generation: 1 }], held: false });
  place.held.add(1);
  expect((await tab.ask("GET", "/copy.zip?generation=1")).status).toBe(503);
  const answer = await tab.ask("POST", "/recovery", { action: "restore", generation: 1 });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain("Another Vibey tab has the backup open.");
  place.held.clear();
  let rest = "";
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) rest += read.value;
  expect(rest).toContain('data: {"type":"done"}');
  expect(await (await tab.ask("GET", "/files")).text()).toBe(whole);
});

test("a first visit that broke off while the first copy was begun has nothing to restore, and says so", async () => {
  const log = await place.open(1);
  log?.close();
  const tab = await openTab();
  expect(await found(tab)).toEqual({
    why: "empty",
    message: "",
    copies: [],
    held: false,
    trouble: null,
    written: false,
    opened: null,
    remembered: null,
  });
  await frames(await tab.ask("POST", "/recovery", { action: "anew" }));
  expect(await (await tab.ask("GET", "/files")).text()).toBe("vibey/doc-main.md=welcome");
});

test("a full disk at the start: the copy gives way, then it is said; the project is as it was", async () => {
  await hadProject();
  place.logs.set(7, new Uint8Array([1]));
  const full = () => {
    throw new StorageError("full", "no room");
  };
  const tab = await openTab({ startEngine: (tries) => (tries === 1 ? full() : undefined) });
  expect(await (await tab.ask("GET", "/files")).text()).toBe(whole);
  expect([...place.logs.keys()]).toEqual([1]);
  close();
  await expect(openTab({ startEngine: full })).rejects.toMatchObject({ kind: "full", message: expect.stringContaining("Free up space") });
  close();
  const after = await openTab();
  expect(await (await after.ask("GET", "/files")).text()).toBe(whole);
});

test("a full disk at the start, and a copy that can't be touched: the disk is full, and nothing is taken for lost", async () => {
  await (await openTab()).copy();
  close();
  const gone = () => {
    throw new StorageError("broken", "another worker has it");
  };
  const full = () => {
    throw new StorageError("full", "no room");
  };
  await expect(openTab({ startEngine: full, makeRoom: gone })).rejects.toMatchObject({ kind: "full" });
});

test("a full disk at a commit: the generation before gives way, and the commit is tried again", async () => {
  await hadProject();
  place.held.add(1);
  const tab = await openTab();
  await tab.copy();
  place.held.clear();
  expect([...place.logs.keys()]).toEqual([1, 2]);
  const inner = opened.at(-1);
  let fails = 1;
  spyOnRequests(["put"], (_method, store, run) => {
    if (store.name === "pieces" && fails-- > 0) throw new DOMException("no room", "QuotaExceededError");
    return run();
  });
  expect(await inner?.commit([{ op: "write", path: path("big"), data: "big" }], { durability: "strict" })).toMatchObject({ ok: true });
  expect([...place.logs.keys()]).toEqual([2]);
});

test("a full disk when a file is removed: what was set aside is given up, so that room can be made; no other commit gets it", async () => {
  await hadProject();
  const tab = await openTab();
  await tab.copy();
  await soon(() => expect(aside).toBeGreaterThan(0));
  spyOnRequests(["put"], (_method, _store, run) => {
    if (aside > 0) throw new DOMException("no room", "QuotaExceededError");
    return run();
  });
  const files = tab.files();
  expect(await files.commit([{ op: "write", path: path("big"), data: "big" }], { durability: "strict" })).toMatchObject({
    ok: false,
    failure: { kind: "full" },
  });
  const [first] = await files.list();
  if (!first) throw new Error("there is no file");
  expect(await files.commit([{ op: "remove", path: first.path }], { durability: "strict" })).toMatchObject({ ok: true });
  expect(aside).toBe(0);
});

test("a newer program's project is neither recovered nor touched", async () => {
  await hadProject();
  (await openDB(name, layoutSteps.length + 1)).close();
  await expect(openTab()).rejects.toMatchObject({ kind: "newer" });
});

test("a project that was lost before its second copy had begun is not begun anew without a word", async () => {
  const tab = await openTab();
  expect(noted).toBe(false);
  await commit(tab.files(), "write vibey/doc-main.md mine");
  expect(noted).toBe(true);
  close();
  await deleteDB(name);
  const after = await openTab();
  expect(await found(after)).toMatchObject({ why: "empty", copies: [], written: true, trouble: null });
  expect((await after.ask("GET", "/files")).status).toBe(503);
});

test("one in which nobody has stored anything is begun anew: nothing is lost with it", async () => {
  await openTab();
  close();
  await deleteDB(name);
  const after = await openTab();
  expect((await after.ask("GET", "/recovery")).status).not.toBe(503);
  expect(await texts(after.files())).toBe("vibey/doc-main.md=welcome");
});
