import { expect, test } from "vitest";
import type { DialogAnswer, ViewFrame } from "../../../src/protocol/index.ts";
import { deferred } from "../deferred.ts";
import { bench, type Bench, call, ended, outcome, say } from "../harness.ts";

/** Collects the frames of `?view=parsed`. */
async function follow(b: Bench, id: string): Promise<ViewFrame[]> {
  const frames: ViewFrame[] = [];
  const response = await b.ask("GET", `/dialog/${id}/stream?view=parsed`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  void (async () => {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      text += next.value;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) if (block.startsWith("data: ")) frames.push(JSON.parse(block.slice("data: ".length)) as ViewFrame);
    }
  })();
  return frames;
}

test("what a command prints is told while it runs, to those who come later too, and is gone with it", async () => {
  const goOn = deferred<null>();
  const printed = deferred<null>();
  const b = await bench([[call("c1", "run_command", { command: "make" }), ended], say("done")], {
    run: async (_command, _signal, { onOutput }) => {
      onOutput?.({ stream: "stdout", text: "one\n" });
      onOutput?.({ stream: "stderr", text: "two\n" });
      onOutput?.({ stream: "progress", text: "50 %" });
      onOutput?.({ stream: "stdout", text: "x".repeat(30_000) });
      printed.resolve(null);
      await goOn.promise;
      return outcome("one\n");
    },
  });
  const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude" })).json()) as { dialogId: string };
  const early = await follow(b, dialogId);
  const events: string[] = [];
  const eventStream = (await b.ask("GET", "/events")).body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (let next = await eventStream?.read(); next && !next.done; next = await eventStream?.read()) events.push(next.value);
  })();
  const turn = await b.ask("PUT", "/dialog", { dialogId, prompt: "go", authorizations: ["run_command"] });
  await printed.promise;
  const view = async () => (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
  expect((await view()).output).toEqual({ callId: "c1", text: "x".repeat(20_000), progress: "50 %" });
  const late = await follow(b, dialogId);
  await expect.poll(() => late.length).toBeGreaterThan(0);
  expect(late[0]).toMatchObject({ type: "dialog", dialog: { output: { callId: "c1", progress: "50 %" } } });
  await expect.poll(() => early.filter(({ type }) => type === "output").length).toBe(4);
  expect(early.filter(({ type }) => type === "output").slice(0, 3)).toEqual([
    { type: "output", version: expect.any(Number), callId: "c1", stream: "stdout", text: "one\n" },
    { type: "output", version: expect.any(Number), callId: "c1", stream: "stderr", text: "two\n" },
    { type: "output", version: expect.any(Number), callId: "c1", stream: "progress", text: "50 %" },
  ]);
  goOn.resolve(null);
  await turn.text();
  expect((await view()).output).toBe(null);
  await expect.poll(() => early.findLast((frame) => frame.type === "head")).toMatchObject({ head: { output: null } });
  expect((await b.dialog()).markdown).not.toContain("two");
  expect(events.join("")).not.toContain("two");
  expect(b.reported).toEqual([]);
});

test("what is printed after the dialog was stopped is nobody's", async () => {
  const goOn = deferred<null>();
  const started = deferred<null>();
  const b = await bench([[call("c1", "run_command", { command: "make" }), ended]], {
    run: async (_command, _signal, { onOutput }) => {
      onOutput?.({ stream: "stdout", text: "one\n" });
      started.resolve(null);
      await goOn.promise;
      onOutput?.({ stream: "stdout", text: "two\n" });
      return { ...outcome("one\ntwo\n"), aborted: true, exitCode: 130 };
    },
  });
  const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude" })).json()) as { dialogId: string };
  const turn = await b.ask("PUT", "/dialog", { dialogId, prompt: "go", authorizations: ["run_command"] });
  await started.promise;
  await b.ask("PUT", "/dialog", { dialogId, status: "waiting" });
  await turn.text();
  const view = async () => (await (await b.ask("GET", `/dialog/${dialogId}`)).json()) as DialogAnswer;
  expect((await view()).output).toBe(null);
  goOn.resolve(null);
  await expect.poll(async () => JSON.stringify((await view()).messages)).toContain("two");
  expect((await view()).output).toBe(null);
});
