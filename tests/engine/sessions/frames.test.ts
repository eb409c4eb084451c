import { expect, test } from "vitest";
import type { SessionMessage, StatusAnswer } from "../../../src/protocol/index.ts";
import { call, ended, outcome, say, stopped } from "../harness.ts";
import { phone } from "./phone.ts";

const asks = (command: string, id = "a") => [call(id, "run_command", { command }), ended];
const types = (messages: readonly { readonly type: string }[]) => messages.map(({ type }) => type);

test("compact_start and compact_end: a session that continues another one says how much it was and is, the same live and read again", async () => {
  const used = (input: number) => ({ type: "usage", usage: { input, output: 10 } }) as const;
  const p = await phone(
    [
      [used(150_000), { type: "text", text: "All that was said." }, ended],
      [used(5_000), { type: "text", text: "Continued." }, ended],
    ],
    { window: 200_000 },
  );
  const id = await p.begin("Go");
  await p.until(id, "idle");
  const started = await p.b.ask("POST", `/dialog/${id}/continue`, { prompt: "And now?" });
  await started.text();
  const [{ dialogId: next } = { dialogId: "" }] = ((await (await p.b.ask("GET", "/dialogs")).json()) as StatusAnswer[]).filter(
    (one) => one.dialogId !== id,
  );
  const stream = await p.follow(next);
  await stream.until((message) => message.type === "state_change" && message.status === "idle");
  await stream.until(({ type }) => type === "assistant");
  const { backlog } = await p.detail(next);
  expect(stream.all.filter((message) => "id" in message)).toEqual(backlog);
  expect(types(backlog)).toEqual(["compact_start", "compact_end", "user_message", "assistant"]);
  const [start, end, first] = backlog;
  expect(start).toMatchObject({ current_context_tokens: 150_010, threshold: 200_000 });
  const content = first?.type === "user_message" ? first.content : "";
  expect(end).toMatchObject({
    old_context_tokens: 150_010,
    new_context_tokens: 5_010,
    summary_length: content.length,
    new_session_id: next,
  });
});

test("tool_stream: what a command prints, as it prints it, and nothing that only replaces a line about it", async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const p = await phone([asks("make"), say("Done.")], {
    async run(_command, _signal, { onOutput }) {
      onOutput?.({ stream: "stdout", text: "compiling\n" });
      onOutput?.({ stream: "progress", text: "50 %" });
      onOutput?.({ stream: "stderr", text: "a warning\n" });
      await finished;
      return outcome("compiling\n");
    },
  });
  const id = await p.begin("Build");
  const [pending] = (await p.until(id, "waiting_approval")).pending_approval;
  const stream = await p.follow(id);
  await p.phone("POST", `/api/sessions/${id}/approve`, { tool_call_id: pending, approved: true });
  const streamed: SessionMessage[] = [];
  while (streamed.length < 2) {
    const one = await stream.until(({ type }) => type === "tool_stream");
    if (one) streamed.push(one);
  }
  finish();
  await stream.until(({ type }) => type === "tool_result");
  expect(streamed).toEqual(
    ["compiling\n", "a warning\n"].map((message) => ({ type: "tool_stream", tool_call_id: pending, tool_name: "run_command", message })),
  );
  expect(types(stream.all).filter((type) => type === "tool_stream").length).toBe(2);
  await stream.leave();
});

test("heartbeat: every 30 seconds as long as someone follows, and then no more", async () => {
  const beats: (() => void)[] = [];
  const p = await phone([say("Done.")], {
    later: (then, ms) => {
      if (ms === 30_000) beats.push(then);
      else setTimeout(then, ms);
    },
  });
  const id = await p.begin("Go");
  await p.until(id, "idle");
  const stream = await p.follow(id);
  await stream.until(({ type }) => type === "assistant");
  for (let n = 0; n < 3; n += 1) {
    beats.shift()?.();
    expect(await stream.until(({ type }) => type === "heartbeat")).toEqual({ type: "heartbeat", ts: expect.stringMatching(/^\d{4}-.*Z$/) });
  }
  expect(beats.length).toBe(1);
  await stream.leave();
  beats.shift()?.();
  expect(beats.length).toBe(0);
});

test("reasoning is told when an agent thinks, once, and stands nowhere", async () => {
  let think = () => {};
  const thinking = new Promise<void>((resolve) => (think = resolve));
  const p = await phone([
    async function* () {
      await thinking;
      yield { type: "thinking" } as const;
      yield { type: "thinking" } as const;
      yield { type: "text", text: "Hm." } as const;
      yield ended;
    },
  ]);
  const id = await p.begin("Go");
  const stream = await p.follow(id);
  await stream.until(({ type }) => type === "reasoning");
  think();
  await stream.until(({ type }) => type === "assistant");
  expect(types(stream.all).filter((type) => type === "reasoning").length).toBe(1);
  expect(types((await p.detail(id)).backlog)).toEqual(["user_message", "assistant"]);
  await stream.leave();
});

test("error: what went wrong, and that it can be tried again", async () => {
  const p = await phone([[stopped({ kind: "error", reason: "overloaded", message: "busy" })]]);
  const id = await p.begin("Go");
  const { backlog } = await p.until(id, "error");
  expect(backlog.at(-1)).toMatchObject({ type: "error", message: expect.stringContaining("busy"), recoverable: true });
});

test("of a long session the last 500 events, also after a restart, and ids that stay", async () => {
  const p = await phone([], { answer: say("Yes.") });
  const id = await p.begin("Message 0");
  for (let n = 1; n < 260; n += 1) {
    while ((await p.phone("POST", `/api/sessions/${id}/message`, { text: `Message ${n}` })).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const { backlog } = await p.until(id, "idle");
  expect([backlog.length, backlog[0]]).toEqual([500, expect.objectContaining({ content: "Message 10" })]);
  const again = await p.b.reload();
  await again.ask("PUT", "/bridge", { key: "correct-horse-battery" });
  const answer = await again.ask("GET", `/api/sessions/${id}`, undefined, { "x-psk": "correct-horse-battery" });
  expect(((await answer.json()) as { backlog: unknown }).backlog).toEqual(backlog);
});
