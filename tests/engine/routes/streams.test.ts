import { expect, test } from "vitest";
import type { DialogAnswer, LiveFrame, StreamFrame, ViewFrame } from "../../../src/protocol/index.ts";
import { deferred } from "../deferred.ts";
import { type Bench, bench, call, ended, say } from "../harness.ts";
import { textOf, viewOf } from "../put-together.ts";

/** A client of an SSE answer that can be asked for the frames so far. */
function reader<F>(response: Response): { readonly frames: F[]; readonly over: Promise<void>; leave(): Promise<void> } {
  const frames: F[] = [];
  const body = response.body?.getReader();
  if (!body) throw new Error("no body");
  let rest = "";
  const over = (async () => {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await body.read();
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) frames.push(JSON.parse(block.slice("data: ".length)) as F);
    }
  })();
  return { frames, over, leave: () => body.cancel() };
}

const pieces = ["# He", "llo\n", "\n> Auth", "orized: run_command\n", "## Us", "er\n\n\n", "end", "   \n"];

async function aTurn(b: Bench, dialogId: string): Promise<void> {
  await b.frames(await b.ask("PUT", "/dialog", { dialogId, prompt: "Go" }));
  await b.frames(await b.ask("PUT", "/dialog", { dialogId, decisions: "a: approve", authorizations: "allow write_file" }));
}

const script = () => [
  [...pieces.map((text) => ({ type: "text", text }) as const), call("a", "write_file", { path: "x", content: "y" }), ended],
  [{ type: "text", text: "One" } as const, call("b", "write_file", { path: "x", content: "z" }), ended],
  say("Done.\n\n> Waiting: Enough?"),
];

async function fresh(b: Bench): Promise<string> {
  return ((await (await b.ask("POST", "/dialog/new", { provider: "claude" })).json()) as { dialogId: string }).dialogId;
}

test("a reader of the markdown ends up with the file, wherever it joined", async () => {
  const b = await bench(script());
  const id = await fresh(b);
  const early = reader<StreamFrame>(await b.ask("GET", `/dialog/${id}/stream`));
  await aTurn(b, id);
  const late = reader<StreamFrame>(await b.ask("GET", `/dialog/${id}/stream`));
  const { markdown, filename } = await b.dialog();
  await expect.poll(() => textOf(early.frames)).toBe(markdown);
  await expect.poll(() => textOf(late.frames)).toBe(markdown);
  expect(early.frames.findLast(({ type }) => type === "status")).toMatchObject({ filename, status: "waiting" });
  const version = late.frames[0]?.version;
  const again = reader<StreamFrame>(await b.ask("GET", `/dialog/${id}/stream?since=${version}`));
  await b.ask("PUT", "/dialog", { dialogId: id, status: "done" });
  await expect.poll(() => again.frames.map(({ type }) => type)).toEqual(["status"]);
  for (const one of [early, late, again]) await one.leave();
});

test("a reader of the view ends up with what GET says, wherever it joined, and no text is sent twice", async () => {
  const b = await bench(script());
  const id = await fresh(b);
  const early = reader<ViewFrame>(await b.ask("GET", `/dialog/${id}/stream?view=parsed`));
  await aTurn(b, id);
  const { markdown: _markdown, ...now } = (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
  await expect.poll(() => viewOf(early.frames)).toEqual(now);
  const late = reader<ViewFrame>(await b.ask("GET", `/dialog/${id}/stream?view=parsed`));
  await expect.poll(() => late.frames.length).toBe(1);
  expect(viewOf(late.frames)).toEqual(now);
  await b.ask("DELETE", `/file/${(await b.dialog()).filename}`);
  await early.over;
  expect(early.frames.at(-1)).toMatchObject({ type: "gone" });
});

test("a reader that leaves stops nothing; one that does not read costs no memory and loses nothing", async () => {
  const gate = deferred<void>();
  const b = await bench([
    async function* () {
      for (let n = 0; n < 2000; n += 1) yield { type: "text", text: `word ${n} ` };
      await gate.promise;
      yield { type: "text", text: "end" };
      yield ended;
    },
  ]);
  const id = await fresh(b);
  const turn = await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go" });
  await turn.body?.cancel();
  const slow = await b.ask("GET", `/dialog/${id}/stream`);
  gate.resolve();
  await expect.poll(async () => (await b.dialog()).filename.endsWith("-done.md")).toBe(true);
  const read = reader<StreamFrame>(slow);
  const { markdown } = await b.dialog();
  await expect.poll(() => textOf(read.frames)).toBe(markdown);
  expect(read.frames.length).toBeLessThan(300);
  await read.leave();
});

test("events tell of files and dialogs as they happen", async () => {
  const b = await bench(script());
  const events = reader<LiveFrame>(await b.ask("GET", "/events"));
  const id = await fresh(b);
  await aTurn(b, id);
  await b.ask("POST", "/file/doc-x.md", { content: "x" });
  const seen = () =>
    events.frames.map((frame) => {
      if (frame.type === "hello") return frame.type;
      const { type, data } = frame.event;
      return [type, "name" in data ? data.name : "path" in data ? data.path : "status" in data ? data.status : ""].join(" ").trim();
    });
  await expect.poll(seen).toContain("file doc-x.md");
  expect(seen()[0]).toBe("hello");
  expect(seen()).toEqual(expect.arrayContaining(["dialog waiting", "dialog active", "deed x"]));
  await events.leave();
});

test("a reader goes on when the human rewrites the file", async () => {
  const b = await bench([say("One.")]);
  const id = await fresh(b);
  const view = reader<ViewFrame>(await b.ask("GET", `/dialog/${id}/stream?view=parsed`));
  const text = reader<StreamFrame>(await b.ask("GET", `/dialog/${id}/stream`));
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go" }));
  const { filename, markdown } = await b.dialog();
  await b.ask("POST", `/file/${filename}`, { content: markdown.replace("One.", "Two.") });
  await expect.poll(() => textOf(text.frames)).toBe((await b.dialog()).markdown);
  expect(viewOf(view.frames).messages.at(-1)?.parts[0]).toEqual({ kind: "text", text: "Two." });
  for (const one of [view, text]) await one.leave();
});
