import { noLog } from "../log/no-log.ts";
import { expect, test } from "vitest";
import type { DialogListing, StreamFrame } from "../../../src/protocol/index.ts";
import { dispatch } from "../../../src/engine/dialogs/dispatch.ts";
import type { Dialogs } from "../../../src/engine/dialogs/dialogs.ts";
import { revisionsOf } from "../../../src/engine/dialogs/live.ts";
import { makeLive } from "../../../src/engine/dialogs/open.ts";
import { dialogStore } from "../../../src/engine/dialogs/store.ts";
import type { Section } from "../../../src/dialog/model.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { serialiseDialog } from "../../../src/dialog/serialise.ts";
import { createTextWriter } from "../../../src/dialog/text-writer.ts";
import type { Event } from "../../../src/engine/turn/machine/model.ts";
import { streamRoutes } from "../../../src/engine/routes/streams.ts";
import { memoryFiles, memoryStore } from "../../../src/fs/memory.ts";
import { vibeyPath } from "../../../src/fs/vibey-name.ts";
import { deferred } from "../deferred.ts";
import { bench, call, ended, say } from "../harness.ts";
import { textOf } from "../put-together.ts";
import { createRoutes } from "../../../src/engine/routes/route.ts";
import { limits } from "../../../src/protocol/limits.ts";

const time = "2026-01-01T00:00:00.000Z";

/** A dialog's file of about `length` characters: questions, answers, and calls with results. */
function fileOf(length: number, unit = 10_000): string {
  const out = [
    "# Dialog\n> Format: 1\n> Provider: claude | Model: model-1\n> Started: 2026-01-01T00:00:00.000Z\n> Authorized: launch_agent\n",
  ];
  const line = "The quick brown fox jumps over the lazy dog, again. \u2014\n";
  const said = line.repeat(Math.ceil(unit / 3 / line.length)).trimEnd();
  const printed = JSON.stringify(line.repeat(Math.ceil(unit / 2 / line.length)));
  for (let size = 0, n = 0; size < length; size += unit, n += 1) {
    out.push(
      `\n## User\n> Time: ${time}\n\nQuestion ${n}\n`,
      `\n## Assistant\n> Time: ${time} - ${time}\n\n${said}\n`,
      `\n---\nTool request: run_command [toolu_${n}]\n\n    {"command": "cat ${n}"}\n\nDecision: approved\nStarted: ${time}\nResult:\n\n    {"success": true, "stdout": ${printed}, "ms": 1}\n\n---\n`,
      "\n> Usage: input=1 output=2 total=3\n> Usage cumulative: input=1 output=2 total=3\n",
    );
  }
  return out.join("");
}

test("what happens at a dialog's end looks at nothing that stands before, and tells its readers of nothing else", async () => {
  const text = fileOf(500_000, 2_500);
  const dialog = parseDialog(text);
  const count = dialog.sections.length;
  const seen: number[] = [];
  const watched = dialog.sections.map((section, index): Section => {
    const seeing: ProxyHandler<Section> = {
      get(target, key) {
        seen.push(index);
        return Reflect.get(target, key) as unknown;
      },
    };
    return new Proxy(section, seeing);
  });
  const files = memoryFiles({ now: () => 0 });
  const path = vibeyPath("dialog-20260101-000000-long-waiting.md");
  const written = await files.commit([{ op: "write", path, data: text }], { durability: "relaxed" });
  if (!written.ok) throw new Error("not written");
  const live = makeLive({
    id: "20260101-000000-long",
    path,
    version: written.version,
    state: { dialog: { ...dialog, sections: watched }, status: "waiting", turn: null },
    text,
    revisions: revisionsOf(1),
  });
  let committed = 0;
  const counted: typeof files.commit = (changes, options) => {
    for (const change of changes) {
      if (change.op === "append" || change.op === "patch") committed += change.data.length;
      else if (change.op === "write") throw new Error("the file was written anew");
    }
    return files.commit(changes, options);
  };
  const errors: unknown[] = [];
  const store = dialogStore({
    files: { ...files, commit: counted },
    epoch: await files.lead(),
    flushMs: 1,
    log: noLog,
    later: (then) => void setTimeout(then, 0),
    report: (error) => errors.push(error),
  });
  const bus = { emit: () => undefined, listen: () => () => undefined };
  const options = { check: () => null, requestsPerTurn: 100 };
  const app = createRoutes((error) => {
    throw error;
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the routes use nothing else.
  streamRoutes(app, { get: async () => live } as unknown as Dialogs);
  const readers = await Promise.all(
    ["", "?view=parsed"].map(async (query) => (await app.fetch(new Request(`http://engine/dialog/x/stream${query}`))).body?.getReader()),
  );
  for (const reader of readers) await reader?.read();

  const happen = async (event: Event) => {
    const done = await dispatch(live, event, { store, bus, options });
    if (!done.ok) throw new Error(JSON.stringify(done));
  };
  const turn = async (id: string) => {
    await happen({ type: "put", decisions: new Map(), authority: [], prompt: "Go on", provider: "claude", model: "model-1", time });
    const writer = createTextWriter();
    for (let n = 0; n < 100; n += 1) await happen({ type: "text", piece: writer.push(n % 10 === 0 ? "\n" : `token ${n} `) });
    const input = { ok: true, value: { command: "ls" } } as const;
    await happen({ type: "call", id, name: "run_command", input, tail: writer.end("cut") });
    await happen({ type: "ended", stop: { kind: "end" }, usage: { input: 5, output: 6 }, window: null, tail: null, time });
    const decisions = new Map([[id, "approve"] as const]);
    await happen({ type: "put", decisions, authority: [], prompt: null, provider: "claude", model: "model-1", time });
    await happen({ type: "claimed", id, time });
    await happen({ type: "finished", id, result: { success: true, stdout: "x" }, time });
    await happen({ type: "stop", status: "waiting", tail: null, usage: null, time });
  };
  // The first turn does the work that is needed once per opened dialog.
  await turn("first");
  await store.flush();
  seen.length = 0;
  committed = 0;
  await turn("second");
  await store.flush();
  expect(seen.filter((index) => index < count - 4)).toEqual([]);
  expect(committed).toBeLessThan(10_000);
  let told = 0;
  for (const reader of readers) {
    for (;;) {
      const next = await Promise.race([reader?.read(), new Promise<null>((resolve) => setTimeout(() => resolve(null), 5))]);
      if (!next || next.done) break;
      told += next.value.length;
    }
    await reader?.cancel();
  }
  expect(told).toBeLessThan(200_000);
  expect(live.text).toBe(serialiseDialog(live.state.dialog));
  expect(new TextDecoder().decode((await files.read(live.path))?.bytes)).toBe(live.text);
  expect(errors).toEqual([]);
});

test("a dialog of 25 MB is opened, followed, continued, edited and stopped", async () => {
  const content = fileOf(25_000_000);
  const gate = deferred<void>();
  const b = await bench([
    [{ type: "text", text: "Let me see." }, call("next", "run_command", { command: "ls" }), ended],
    say("There it is."),
    async function* (_request, signal) {
      yield { type: "text", text: "I begin" };
      gate.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield { type: "end", stop: { kind: "aborted" } };
    },
  ]);
  const dialogId = "20260101-000000-long";
  expect((await b.ask("POST", `/file/dialog-${dialogId}-waiting.md`, { content })).status).toBe(200);
  const followed = (await b.ask("GET", `/dialog/${dialogId}/stream`)).body?.getReader();
  if (!followed) throw new Error("no body");
  await (await b.ask("PUT", "/dialog", { dialogId, prompt: "Go on" })).text();
  await (await b.ask("PUT", "/dialog", { dialogId, decisions: "next: approve" })).text();
  expect(b.commands).toEqual(["ls"]);
  expect(b.requests.at(-1)?.dialog.sections.length).toBeGreaterThan(5_000);

  const { filename, markdown } = await b.dialog();
  expect(filename).toMatch(/-done\.md$/);
  expect(markdown.startsWith(content)).toBe(true);
  expect(markdown.slice(content.length)).toMatch(/Go on[^]*Let me see\.[^]*ran ls[^]*There it is\.\n$/);
  const frames: StreamFrame[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  while (textOf(frames) !== markdown) {
    const { value } = await followed.read();
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) frames.push(JSON.parse(block.slice("data: ".length)) as StreamFrame);
  }
  expect(frames.filter(({ type }) => type === "snapshot")).toHaveLength(1);
  await followed.cancel();

  const edited = markdown.replace("There it is.", "There it was.");
  expect((await b.ask("POST", `/file/${filename}`, { content: edited })).status).toBe(200);
  const turn = await b.ask("PUT", "/dialog", { dialogId, prompt: "And now" });
  await gate.promise;
  expect((await b.ask("PUT", "/dialog", { dialogId, status: "waiting" })).status).toBe(200);
  await turn.text();
  const last = (await b.dialog()).markdown;
  expect(last.startsWith(edited.trimEnd())).toBe(true);
  expect(last.slice(edited.length)).toMatch(/> Edited: [^]*And now[^]*I begin[^]*> Stop: aborted\n$/);
  expect(serialiseDialog(parseDialog(last)) === last).toBe(true);
  expect(b.reported).toEqual([]);
});

test("in a project of a thousand dialogs one is found, made and continued without a look into the others", async () => {
  const store = memoryStore();
  const text = fileOf(3_000, 3_000);
  const ids = Array.from(
    { length: 1_000 },
    (_, n) => `20260101-00${`${n}`.padStart(4, "0").slice(0, 2)}${`${n % 60}`.padStart(2, "0")}-n${n}`,
  );
  const seed = memoryFiles({ now: () => 0, store });
  const changes = ids.map((id) => ({ op: "write", path: vibeyPath(`dialog-${id}-waiting.md`), data: text }) as const);
  expect((await seed.commit(changes, { durability: "relaxed" })).ok).toBe(true);
  const b = await bench([say("One."), say("Two.")], { store });
  const read = new Set<number>();
  store.pieces.get = (id) => {
    read.add(id);
    return Map.prototype.get.call(store.pieces, id) as ReturnType<typeof store.pieces.get>;
  };
  const listing = (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
  expect(listing).toHaveLength(1_000);
  await (await b.ask("PUT", "/dialog", { dialogId: ids[777], prompt: "Go on" })).text();
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Hello" })).text();
  // The dialog itself, the new one, the docs that both get, and, at the start, the most recently written dialogs, because they may miss answers.
  expect(read.size).toBeLessThan(10 + limits.factsDialogs);
  const answers = await Promise.all(ids.map(async (dialogId) => (await b.ask("GET", `/dialog/${dialogId}/stream`)).body?.getReader()));
  for (const answer of answers) {
    expect((await answer?.read())?.value?.length).toBeGreaterThan(text.length);
    await answer?.cancel();
  }
  expect(b.reported).toEqual([]);
});
