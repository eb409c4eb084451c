import { expect, test } from "vitest";
import { eventsOf } from "../../../src/dialog/events/events-of.ts";
import { createLog, type Position } from "../../../src/engine/log/log.ts";
import type { Files } from "../../../src/fs/files.ts";
import { historyMemory, memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import { StorageError } from "../../../src/fs/storage-error.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { memoryFiles, type MemoryStore, memoryStore } from "../../../src/fs/memory.ts";
import type { LogAnswer, LogEvent, LogFrame } from "../../../src/protocol/log.ts";
import { liveEventsIn } from "../../live-event.ts";
import { deferred } from "../deferred.ts";
import { type Bench, bench, call, ended, say } from "../harness.ts";

const script = () => [
  [
    { type: "text", text: "First I look, " },
    { type: "text", text: "then I write." },
    call("a", "run_command", { command: "ls" }),
    call("b", "write_file", { path: "x.txt", content: "x\n" }),
    { type: "usage", usage: { input: 12, output: 3 } },
    ended,
  ] as const,
  say("Both done."),
];

async function scenario(b: Bench): Promise<void> {
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go", slug: "go" })).text();
  const { id } = await b.dialog();
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: deny", prompt: "Not that one." })).text();
}

/** The id of the event at this position. */
const idAt = (position: Position) =>
  "key" in position ? `${position.dialogId}/${position.generation}/${position.key}` : `commit ${position.commit}`;

const logOf = async (b: Bench, query = "") => (await (await b.ask("GET", `/log?limit=1000${query}`)).json()) as LogAnswer;
const place = ({ id }: LogEvent) => id.split("/").slice(2).join("/");

/** Everything that a client receives that joins after `since`. */
async function follow(b: Bench, since: string): Promise<{ frames: LogFrame[]; events: LogEvent[]; cursor: string; restarted: boolean }> {
  const response = await b.ask("GET", `/events?since=${encodeURIComponent(since)}`);
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  const frames: LogFrame[] = [];
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the stream ended");
    text += new TextDecoder().decode(value);
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) frames.push(JSON.parse(block.slice("data: ".length)) as LogFrame);
    const last = frames.findLast((frame) => frame.type === "current");
    if (last === undefined) continue;
    await reader.cancel();
    const [first] = frames;
    const events = frames.flatMap((frame) => (frame.type === "event" ? [frame.event] : []));
    return { frames, events, cursor: last.cursor, restarted: first?.type === "log" && first.restarted };
  }
}

/** The ids of all events that can be derived from the project's files. */
async function derived(store: MemoryStore): Promise<string[]> {
  const files = memoryFiles({ now: () => 0, store });
  const ids: string[] = [];
  for (const { path } of await files.list("vibey/dialog-")) {
    const content = await files.read(path);
    const id = /dialog-(.*)-(?:active|waiting|done)\.md$/.exec(path)?.[1] ?? "";
    ids.push(...eventsOf(parseDialog(new TextDecoder().decode(content?.bytes)), id).map((event) => event.id));
  }
  return ids.toSorted();
}

test("the log has what the texts tell, in the order in which it happened", async () => {
  const b = await bench(script());
  await scenario(b);
  const { events, more } = await logOf(b);
  expect(more).toBe(false);
  expect(events.map(({ id }) => id).toSorted()).toEqual(await derived(b.store));
  expect(events.map(place).toReversed()).toEqual([
    "h.activation",
    "0.0.message",
    "1.request",
    "1.0.text",
    "1.1.tool_call",
    "1.2.tool_call",
    "1.3.usage",
    "1.1.approval",
    "1.2.approval",
    "2.0.message",
    "1.1.tool_result",
    "3.request",
    "3.0.text",
    "3.complete",
  ]);
  expect(b.reported).toEqual([]);
});

test("a page at a time, newest first, with filters; and all of it as a list", async () => {
  const b = await bench(script());
  await scenario(b);
  const all = (await logOf(b)).events;
  const pages: LogEvent[] = [];
  for (let before = ""; ; ) {
    const answer = (await (await b.ask("GET", `/log?limit=3${before}`)).json()) as LogAnswer;
    pages.push(...answer.events);
    if (!answer.more) break;
    before = `&before=${answer.events.at(-1)?.cursor}`;
  }
  expect(pages).toEqual(all);
  expect((await logOf(b, "&tool=run_command")).events.map(place)).toEqual(["1.1.tool_result", "1.1.approval", "1.1.tool_call"]);
  expect((await logOf(b, "&type=approval,message&by=human")).events.map(place)).toEqual([
    "2.0.message",
    "1.2.approval",
    "1.1.approval",
    "0.0.message",
  ]);
  expect((await logOf(b, "&severity=error")).events).toEqual([]);
  expect((await logOf(b, "&dialog=20260101-000000-none")).events).toEqual([]);
  const exported = (await (await b.ask("GET", "/log.json")).json()) as LogEvent[];
  expect(exported).toEqual(all.toReversed());
  expect(await (await b.ask("GET", "/log.json?type=error")).json()).toEqual([]);
});

test.each([
  ["/log?limit=0", 400, "limit: expected a number from 1 to 1000"],
  ["/log?type=approval,lunch", 400, "type: expected activation"],
  ["/log?severity=bad", 400, "severity: expected info, warning, error"],
  ["/log.json?by=me", 400, "by: expected human, agent, vibey"],
  ["/log?before=nothing", 410, "before: the log has no such place"],
])("%s is refused", async (path, status, why) => {
  const b = await bench();
  const answer = await b.ask("GET", path);
  expect(answer.status).toBe(status);
  expect(((await answer.json()) as { error: string }).error).toContain(why);
});

test("a client joins at any place and reads the rest, once; what comes later, comes", async () => {
  const b = await bench([...script(), say("Again.")]);
  await scenario(b);
  const first = await follow(b, "");
  expect(first.restarted).toBe(false);
  expect(first.events.map(({ id }) => id)).toEqual((await logOf(b)).events.map(({ id }) => id).toReversed());
  for (const [at, { cursor }] of first.events.entries()) expect((await follow(b, cursor)).events).toEqual(first.events.slice(at + 1));

  const waiting = follow(b, first.cursor);
  expect((await waiting).events).toEqual([]);
  const response = await b.ask("GET", `/events?since=${first.cursor}`);
  await (await b.ask("PUT", "/dialog", { dialogId: (await b.dialog()).id, prompt: "More." })).text();
  const later = (await follow(b, first.cursor)).events;
  expect(later.map(place)).toEqual(["4.0.message", "5.request", "5.0.text", "5.complete"]);
  await response.body?.cancel();
});

test("what is so now comes between the events, in the same shape; a reader who was slow is told that it missed some", async () => {
  const b = await bench([]);
  const reader = (await b.ask("GET", "/events?since=")).body?.getReader();
  const read = async (): Promise<LogFrame[]> => {
    const text = new TextDecoder().decode((await reader?.read())?.value);
    return text
      .split("\n\n")
      .filter(Boolean)
      .map((block) => JSON.parse(block.slice("data: ".length)) as LogFrame);
  };
  expect([...(await read()), ...(await read())].map(({ type }) => type)).toEqual(["log", "current"]);
  await b.ask("POST", "/file/doc-x.md", { content: "x" });
  expect(await read()).toEqual([
    {
      type: "live",
      event: {
        type: "file",
        data: { name: "doc-x.md", change: "changed" },
        time: expect.any(String) as string,
        severity: "info",
        actor: { kind: "human" },
        dialogId: null,
      },
    },
  ]);
  for (let n = 0; n < 400; n += 1) await b.ask("POST", "/file/doc-x.md", { content: `${n}` });
  const types: string[] = [];
  while (types.at(-1) !== "hello") types.push(...(await read()).map(({ type }) => type));
  expect(types.length).toBeLessThan(20);
  await reader?.cancel();
});

test("a cursor of another log, or none at all, begins from the start and says so", async () => {
  const b = await bench(script());
  await scenario(b);
  for (const since of ["00000000-0000_1_0", "nothing", "_", "%"]) {
    const answer = await follow(b, since);
    expect(answer.restarted).toBe(true);
    expect(answer.events.length).toBe((await logOf(b)).events.length);
  }
});

test("a hundred readers read the same", async () => {
  const b = await bench(script());
  await scenario(b);
  const readers = await Promise.all(Array.from({ length: 100 }, () => follow(b, "")));
  for (const { events } of readers) expect(events).toEqual(readers[0]?.events);
});

test("a project without an index gets one from the times in its texts, under another id", async () => {
  const b = await bench(script());
  await scenario(b);
  const before = await logOf(b);
  const files = memoryFiles({ now: () => 0, store: b.store });
  await files.restartIndex([]);
  const later = await bench([say("Yes.")], { store: b.store });
  const after = await logOf(later);
  expect(after.logId).not.toBe(before.logId);
  expect(after.events.map(({ id }) => id).toSorted()).toEqual(before.events.map(({ id }) => id).toSorted());
  expect(after.events.every(({ exact }) => !exact)).toBe(true);
  expect((await follow(later, before.events[0]?.cursor ?? "")).restarted).toBe(true);
  // After a change the log is stored under the new id.
  await (await later.ask("PUT", "/dialog", { dialogId: (await later.dialog()).id, prompt: "More?" })).text();
  const grown = await logOf(await bench([], { store: b.store }));
  expect(grown.logId).toBe(after.logId);
  expect(grown.events.slice(0, 4).map(place)).toEqual(["5.complete", "5.0.text", "5.request", "4.0.message"]);
});

test("an index that is damaged is built again", async () => {
  const b = await bench(script());
  await scenario(b);
  const inMemory = memoryFiles({ now: () => 0, store: b.store });
  const epoch = await inMemory.lead();
  let isDamaged = true;
  const files: Files = {
    ...inMemory,
    async readIndex(range) {
      if (isDamaged) throw new StorageError("damaged", "an entry is no bytes");
      return inMemory.readIndex(range);
    },
    async restartIndex(entries, options) {
      isDamaged = false;
      return inMemory.restartIndex(entries, options);
    },
  };
  const log = createLog({
    files,
    epoch,
    commits: async () => null,
    isKept: true,
    alone: (work) => work(),
    later: (then) => then(),
    report: (error) => expect.fail(String(error)),
  });
  const { positions } = await log.open();
  expect(positions.map(idAt).toSorted()).toEqual(await derived(b.store));
});

test("how far the building of an index is, is told to whoever asked for the log", async () => {
  const b = await bench(script());
  await scenario(b);
  const files = memoryFiles({ now: () => 0, store: b.store });
  await files.restartIndex([], { epoch: await files.lead() });
  const again = await b.reload();
  const live = (await again.ask("GET", "/events")).body?.getReader();
  await logOf(again, "&progress=log-1");
  const told = [];
  while (told.length === 0)
    for (const { type, data } of liveEventsIn(new TextDecoder().decode((await live?.read())?.value)))
      if (type === "progress") told.push(data);
  const { size } = (await files.list("vibey/dialog-"))[0] ?? {};
  expect(told).toEqual([{ id: "log-1", done: size, total: size }]);
  await live?.cancel();
});

test("an index that was built again at once is not forgotten a moment later", async () => {
  const b = await bench(script());
  await scenario(b);
  const files = memoryFiles({ now: () => 0, store: b.store });
  const epoch = await files.lead();
  const timers: (() => void)[] = [];
  const log = createLog({
    files,
    epoch,
    commits: async () => null,
    isKept: true,
    alone: (work) => work(),
    later: (then) => void timers.push(then),
    report: (error) => expect.fail(String(error)),
  });
  log.lacks();
  const { logId, positions } = await log.open();
  for (const timer of timers) timer();
  const index = await files.readIndex();
  expect([index.id, index.entries.length > 0, positions.length]).toEqual([logId, true, (await derived(b.store)).length]);
});

test("what the user edits begins another generation, and its events replace the earlier ones", async () => {
  const b = await bench(script());
  await scenario(b);
  const { cursor } = await follow(b, "");
  const { filename, markdown } = await b.dialog();
  expect((await b.ask("POST", `/file/${filename}`, { content: markdown.replace("Both done.", "Both are done.") })).status).toBe(200);
  const { events, restarted } = await follow(b, cursor);
  expect(restarted).toBe(false);
  expect(events.map(({ id }) => id).toSorted()).toEqual(await derived(b.store));
  expect(events.find(({ type }) => type === "dialog_replaced")).toMatchObject({ data: { generation: 1 }, actor: { kind: "human" } });
  expect((await logOf(b)).events.map(({ id }) => id).toSorted()).toEqual(await derived(b.store));
});

test("an edit that removes the marks of earlier ones is one more all the same", async () => {
  const b = await bench(script());
  await scenario(b);
  const edit = async (from: string | RegExp, to: string) => {
    const { filename, markdown } = await b.dialog();
    expect((await b.ask("POST", `/file/${filename}`, { content: markdown.replace(from, to) })).status).toBe(200);
  };
  await edit("Both done.", "One.");
  await edit("One.", "Two.");
  const { cursor } = await follow(b, "");
  await edit(/Two\.[^]*$/, "Three.\n");
  const { events } = await follow(b, cursor);
  expect(events.map(({ id }) => id).toSorted()).toEqual(await derived(b.store));
  expect(new Set(events.map(({ id }) => id.split("/")[1]))).toEqual(new Set(["3"]));
  expect(events.find(({ type, data }) => type === "text" && "text" in data && data.text === "Three.")).toBeDefined();
});

test("a commit whose entry can't be stored is stored without, and the order is made again under another id", async () => {
  let isBroken = false;
  const b = await bench([...script(), say("And more.")], {
    aroundCommit: async (commit, options) =>
      isBroken && options.index ? { ok: false, failure: { kind: "broken", message: "the index is damaged" } } : commit(),
  });
  await scenario(b);
  const before = await logOf(b);
  const waiting = await b.ask("GET", `/events?since=${before.events[0]?.cursor}`);
  isBroken = true;
  await (await b.ask("PUT", "/dialog", { dialogId: (await b.dialog()).id, prompt: "More?" })).text();
  expect((await b.dialog()).markdown).toContain("And more.");
  // The stream ends, so that its reader reconnects.
  expect(await waiting.text()).toContain('"type":"current"');
  isBroken = false;
  const after = await logOf(b);
  expect(after.logId).not.toBe(before.logId);
  expect(after.events.map(({ id }) => id).toSorted()).toEqual(await derived(b.store));
  expect(b.reported).toEqual([]);
});

/** Three agents: the first launches the other two. The power fails at the n-th commit. */
async function untilPowerGoes(n: number, stored: boolean) {
  const store = memoryStore();
  const memory = historyMemory();
  const off = deferred<"off">();
  const heard: LogEvent[] = [];
  let commits = 0;
  const launch = (id: string, slug: string) =>
    call(id, "launch_agent", { provider: "claude", model: "model-1", prompt: `I am ${slug}`, slug });
  const starting = bench([[{ type: "text", text: "I launch two." }, launch("a", "north"), launch("b", "south"), ended]], {
    store,
    history: async () => memoryHistoryStore(memory),
    later: (then) => setTimeout(then),
    welcome: [{ name: "doc-main.md", content: "# Main\n> Authorized: launch_agent\n> Authorized: write_file\n" }],
    answer: ({ dialog }) =>
      dialog.sections.some(({ role }) => role === "assistant")
        ? [{ type: "text", text: "Done." }, ended]
        : [call("c", "write_file", { path: `${dialog.head.length}.txt`, content: "x" }), ended],
    aroundCommit: async (commit) => {
      commits += 1;
      if (commits < n) return commit();
      if (commits === n && stored) await commit();
      off.resolve("off");
      return new Promise(() => undefined);
    },
  });
  const end = await Promise.race([
    starting.then(async (b) => {
      const following = listen(b, heard);
      await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go", slug: "lead" })).text();
      await expect
        .poll(async () => (await (await b.ask("GET", "/dialogs")).json()).map(({ status }: { status: string }) => status))
        .toEqual(["done", "done", "done"]);
      void following;
      return "passed" as const;
    }),
    off.promise,
  ]);
  return { store, memory, heard, passed: end === "passed", commits };
}

/** Collects every event that a client receives. */
async function listen(b: Bench, heard: LogEvent[]): Promise<void> {
  const response = await b.ask("GET", "/events?since=");
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += new TextDecoder().decode(value);
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const frame = JSON.parse(block.slice("data: ".length)) as LogFrame;
      if (frame.type === "event") heard.push(frame.event);
    }
  }
}

test("the power goes at any commit: from every cursor it ever had, a client reads the rest, without gaps or doubles", async () => {
  let points = 0;
  for (let n = 3; ; n += 1) {
    const { store, memory, heard, passed } = await untilPowerGoes(n, n % 2 === 0);
    const history = memoryHistoryStore(memory);
    const b = await bench([], { store, answer: say("I go on."), history: async () => history });
    await b.ask("GET", "/history");
    const all = await follow(b, "");
    const ids = all.events.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const committed = (await history.commits(Infinity, 1_000)).map(({ id }) => `commit/${id}`);
    if (passed) expect(committed.length).toBeGreaterThan(0);
    expect(ids.toSorted()).toEqual([...(await derived(store)), ...committed].toSorted());
    expect(ids.slice(0, heard.length)).toEqual(heard.map(({ id }) => id));
    for (const [at, { cursor }] of heard.entries()) {
      const rest = await follow(b, cursor);
      expect(rest.restarted).toBe(false);
      expect(rest.events.map(({ id }) => id)).toEqual(ids.slice(at + 1));
    }
    expect(b.reported).toEqual([]);
    points += 1;
    if (passed) break;
  }
  expect(points).toBeGreaterThan(10);
});
