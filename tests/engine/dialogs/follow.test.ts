import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DialogAnswer, DialogView, LiveFrame, StreamFrame, ViewFrame } from "../../../src/protocol/index.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { hostileText } from "../../dialog/hostile.ts";
import { type Bench, bench, call, ended, type Reply, say } from "../harness.ts";
import { textOf, viewOf } from "../put-together.ts";

/** A client of an SSE answer that reads only when told to. */
interface Follower<F> {
  readonly frames: F[];
  /** Reads at most `chunks` chunks of what is available. */
  read(chunks: number): Promise<void>;
  leave(): Promise<void>;
}

async function follower<F>(answer: Promise<Response> | Response): Promise<Follower<F>> {
  const body = (await answer).body?.getReader();
  if (!body) throw new Error("no body");
  const frames: F[] = [];
  const decoder = new TextDecoder();
  let rest = "";
  let pending: Promise<ReadableStreamReadResult<Uint8Array>> | null = null;
  return {
    frames,
    async read(chunks) {
      for (let n = 0; n < chunks; n += 1) {
        pending ??= body.read();
        const next = await Promise.race([pending, quiet()]);
        if (next === null || next.done) return;
        pending = null;
        const blocks = (rest + decoder.decode(next.value, { stream: true })).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) frames.push(JSON.parse(block.slice("data: ".length)) as F);
      }
    },
    leave: () => body.cancel(),
  };
}

/** Waits until everything sent has arrived. */
function quiet(): Promise<null> {
  return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(null))));
}

type Move =
  | { readonly kind: "join"; readonly view: boolean }
  | { readonly kind: "rejoin"; readonly which: number }
  | { readonly kind: "read"; readonly which: number; readonly chunks: number }
  | { readonly kind: "leave"; readonly which: number }
  | { readonly kind: "stream"; readonly events: number }
  | { readonly kind: "decide"; readonly approve: boolean }
  | { readonly kind: "authorize" }
  | { readonly kind: "prompt" }
  | { readonly kind: "stop" }
  | { readonly kind: "edit" };

const which = fc.nat(7);
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.boolean().map((view): Move => ({ kind: "join", view })) },
  { weight: 1, arbitrary: which.map((one): Move => ({ kind: "rejoin", which: one })) },
  { weight: 3, arbitrary: fc.tuple(which, fc.nat(400)).map(([one, chunks]): Move => ({ kind: "read", which: one, chunks })) },
  { weight: 1, arbitrary: which.map((one): Move => ({ kind: "leave", which: one })) },
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 300 }).map((events): Move => ({ kind: "stream", events })) },
  { weight: 3, arbitrary: fc.boolean().map((approve): Move => ({ kind: "decide", approve })) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "authorize" }) },
  { weight: 3, arbitrary: fc.constant<Move>({ kind: "prompt" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "stop" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ kind: "edit" }) },
);

/** The provider's events, streamed one by one as the moves allow. */
const events = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: hostileText.map((text): ProviderEvent => ({ type: "text", text })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(call("a", "run_command", { command: "ls" }), call("b", "write_file", { path: "x", content: "y" })),
    },
    { weight: 1, arbitrary: fc.constant<ProviderEvent>({ type: "usage", usage: { input: 1, output: 2 } }) },
    { weight: 1, arbitrary: fc.constant(ended) },
  ),
  { minLength: 5, maxLength: 60 },
);

async function settled(b: Bench): Promise<void> {
  for (;;) {
    const [listing] = (await (await b.ask("GET", "/dialogs")).json()) as { status: string; activity: unknown }[];
    if (listing?.status !== "active" && !listing?.activity) return quiet().then(() => undefined);
    await quiet();
  }
}

test("whatever a reader joined, missed or was slow in, it ends up with the dialog, and versions only grow", async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.array(move, { minLength: 5, maxLength: 40 }), async (script, moves) => {
      let at = 0;
      const budget = { events: 0 };
      let wake: () => void = () => undefined;
      const heard = new WeakSet<AbortSignal>();
      const reply: Reply = async function* (_request, signal) {
        for (;;) {
          while (budget.events === 0 && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
          if (signal.aborted) {
            yield { type: "end", stop: { kind: "aborted" } };
            return;
          }
          budget.events -= 1;
          const event = script[at % script.length] ?? ended;
          at += 1;
          yield event;
          if (event.type === "end") return;
        }
      };
      const b = await bench(
        Array.from(
          { length: 500 },
          (): Reply => (request, signal) => {
            if (!heard.has(signal)) signal.addEventListener("abort", () => wake());
            heard.add(signal);
            return typeof reply === "function" ? reply(request, signal) : reply;
          },
        ),
      );
      const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude" })).json()) as { dialogId: string };
      const markdowns: Follower<StreamFrame>[] = [];
      const views: Follower<ViewFrame>[] = [];
      const all = () => [...markdowns, ...views];
      const left = new Set<unknown>();
      const put = async (body: Record<string, unknown>) => {
        const answer = await b.ask("PUT", "/dialog", { dialogId, ...body });
        await answer.body?.cancel();
      };
      for (const one of moves) {
        const chosen = "which" in one ? all()[one.which % Math.max(1, all().length)] : undefined;
        switch (one.kind) {
          case "join":
            if (one.view) views.push(await follower(b.ask("GET", `/dialog/${dialogId}/stream?view=parsed`)));
            else markdowns.push(await follower(b.ask("GET", `/dialog/${dialogId}/stream`)));
            break;
          case "rejoin": {
            const before = markdowns[one.which % Math.max(1, markdowns.length)];
            if (!before || before.frames.length === 0) break;
            await before.leave();
            left.add(before);
            const since = before.frames.at(-1)?.version;
            const again = await follower<StreamFrame>(b.ask("GET", `/dialog/${dialogId}/stream?since=${since}`));
            again.frames.push(...before.frames);
            markdowns.push(again);
            break;
          }
          case "read":
            await chosen?.read(one.chunks);
            break;
          case "leave":
            await chosen?.leave();
            left.add(chosen);
            break;
          case "stream":
            budget.events += one.events;
            wake();
            for (let n = 0; n < 5; n += 1) await quiet();
            break;
          case "decide":
            await put({ decisions: ["a", "b"].map((id) => `${id}: ${one.approve ? "approve" : "deny"}`).join("\n") });
            break;
          case "authorize":
            await put({ authorizations: "allow write_file" });
            break;
          case "prompt":
            await put({ prompt: "Go on" });
            break;
          case "stop":
            await put({ status: "waiting" });
            break;
          case "edit": {
            const { filename, markdown } = (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
            await b.ask("POST", `/file/${filename}`, { content: `${markdown}\nEdited.\n` });
            break;
          }
        }
      }
      budget.events = 0;
      await put({ status: "done" });
      await settled(b);
      expect(b.reported).toEqual([]);
      const { markdown, ...now } = (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
      expect((await b.dialog()).markdown).toBe(markdown);
      for (const one of all()) {
        if (left.has(one)) continue;
        await one.read(100_000);
        const versions = one.frames.map(({ version }) => version);
        expect(versions).toEqual(versions.toSorted((x, y) => x - y));
      }
      for (const one of markdowns) if (!left.has(one)) expect(textOf(one.frames)).toBe(markdown);
      for (const one of views) if (!left.has(one)) expect(viewOf(one.frames)).toEqual(now satisfies DialogView);
      for (const one of all()) if (!left.has(one)) await one.leave();
    }),
    { numRuns: Number(process.env["VIBEY_LAWS"] ?? 0) / 20 || 60 },
  );
});

test("a hundred readers are told in the same bytes, and one who does not read is brought up to date by one start", async () => {
  const b = await bench([[...Array.from({ length: 600 }, (_, n) => ({ type: "text", text: `word ${n} ` }) as const), ended]]);
  const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude" })).json()) as { dialogId: string };
  const chunks: Uint8Array[][] = [];
  const readers = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const body = (await b.ask("GET", `/dialog/${dialogId}/stream`)).body?.getReader();
      if (!body) throw new Error("no body");
      const own: Uint8Array[] = [];
      chunks[n] = own;
      return { body, own };
    }),
  );
  await (await b.ask("PUT", "/dialog", { dialogId, prompt: "Go" })).text();
  for (const { body, own } of readers) {
    for (;;) {
      const next = await Promise.race([body.read(), quiet()]);
      if (next === null || next.done) break;
      own.push(next.value);
    }
    await body.cancel();
  }
  const [first] = chunks;
  expect(first?.length).toBeLessThan(300);
  // The same arrays, not only equal bytes: each chunk was encoded once.
  for (const own of chunks) expect(own.every((bytes, n) => bytes === first?.[n])).toBe(true);
  const { markdown } = await b.dialog();
  const frames = (first ?? []).map((bytes) => JSON.parse(new TextDecoder().decode(bytes).slice("data: ".length)) as StreamFrame);
  expect(textOf(frames)).toBe(markdown);
});

test("events: who joins late or does not read is told that everything may have changed", async () => {
  const b = await bench([say("One."), say("Two.")]);
  const slow = await follower<LiveFrame>(b.ask("GET", "/events"));
  for (let n = 0; n < 400; n += 1) await b.ask("POST", "/file/doc-x.md", { content: `${n}` });
  const late = await follower<LiveFrame>(b.ask("GET", "/events"));
  await slow.read(10_000);
  expect(slow.frames.length).toBeLessThan(300);
  expect(slow.frames.filter(({ type }) => type === "hello")).toHaveLength(2);
  await b.ask("POST", "/file/doc-y.md", { content: "y" });
  await late.read(10);
  await slow.read(10);
  expect(late.frames.map((frame) => (frame.type === "live" ? frame.event.type : frame.type))).toEqual(["hello", "file"]);
  expect(slow.frames.at(-1)).toMatchObject({ type: "live", event: { type: "file", data: { name: "doc-y.md" }, actor: { kind: "human" } } });
  await Promise.all([late.leave(), slow.leave()]);
});
