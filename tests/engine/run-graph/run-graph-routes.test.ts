import { expect, test } from "vitest";
import type { GraphAnswer, LogEvent, RunLogAnswer, RunLogFrame, StepsAnswer } from "../../../src/protocol/index.ts";
import { stepOf } from "../../../src/engine/run-graph/step.ts";
import { type Bench, bench, call, ended } from "../harness.ts";

const get = async <T>(b: Bench, path: string): Promise<T> => (await (await b.ask("GET", path)).json()) as T;

/** A lead and a helper that it launched, which asks to write. */
async function run(): Promise<{ b: Bench; lead: string; kid: string }> {
  const launch = call("c1", "launch_agent", { provider: "claude", model: "model-1", prompt: "Help.", slug: "kid" });
  const b = await bench([], {
    answer: ({ dialog }) => {
      if (dialog.head.some(({ key }) => key === "Launched by")) return [call("c2", "write_file", { path: "a/b.txt", content: "x" }), ended];
      return dialog.sections.some(({ role }) => role === "assistant") ? [{ type: "text", text: "Launched." }, ended] : [launch, ended];
    },
  });
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go", slug: "lead" })).text();
  const [{ dialogId: lead } = { dialogId: "" }] = await get<{ dialogId: string }[]>(b, "/dialogs");
  await (await b.ask("PUT", "/dialog", { dialogId: lead, decisions: [{ id: "c1", approved: true }] })).text();
  await expect.poll(async () => (await get<GraphAnswer>(b, "/agents/graph")).agents.map(({ state }) => state)).toContain("asks");
  const kid = (await get<GraphAnswer>(b, `/agents/graph?run=${lead}`)).agents.find(({ depth }) => depth === 1)?.dialogId ?? "";
  return { b, lead, kid };
}

test("a run through its routes: filters, moments, what was said wrong, and what follows", async () => {
  const { b, lead, kid } = await run();
  const types = async (query: string) => (await get<RunLogAnswer>(b, `/agents/log?run=${lead}${query}`)).entries.map(({ type }) => type);
  expect(await types("&type=spawn,tool_call")).toEqual(["tool_call", "spawn", "tool_call"]);
  expect(await types(`&agent=${kid}`)).toEqual(["tool_call", "activation"]);
  expect(await types("&tool=launch_agent")).toEqual(["tool_result", "tool_call"]);
  expect(await types("&severity=error")).toEqual([]);
  expect((await get<RunLogAnswer>(b, `/agents/log?run=${kid}`)).entries.map(({ activationId }) => activationId)).toEqual([
    `${kid}/0`,
    `${kid}/0`,
  ]);

  const { steps } = await get<StepsAnswer>(b, `/agents/log/steps?run=${lead}`);
  const first = steps[0]?.cursor ?? "";
  expect((await get<GraphAnswer>(b, `/agents/log/at?run=${lead}&event=${first}`)).agents.map(({ dialogId }) => dialogId)).toEqual([lead]);

  for (const [path, status, words] of [
    ["/agents/log?type=nonsense", 400, "type: expected activation"],
    ["/agents/log?severity=loud", 400, "severity: expected info"],
    ["/agents/log?limit=0", 400, "limit: expected"],
    ["/agents/log?before=nonsense", 410, "before: the log has no such place"],
    ["/agents/log/at", 400, "event: expected"],
    ["/agents/log/at?event=nonsense", 410, "event: the log has no such place"],
    ["/agents/log/files", 400, "event: expected"],
    ["/agents/log/files?event=nonsense", 410, "event: the log has no such place"],
    ["/agents/graph?run=nonsense", 404, "run: there is no such dialog"],
    ["/agents/log?run=nonsense", 404, "run: there is no such dialog"],
  ] as const) {
    const answer = await b.ask("GET", path);
    expect([path, answer.status]).toEqual([path, status]);
    expect(await answer.text()).toContain(words);
  }

  const stream = await b.ask("GET", `/agents/log?run=${lead}&since=${first}`, undefined, { accept: "text/event-stream" });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const told: string[] = [];
  while (told.at(-1) !== "current") {
    const { value = "" } = (await reader?.read()) ?? {};
    for (const block of value.split("\n\n").filter(Boolean)) {
      const frame = JSON.parse(block.slice("data: ".length)) as RunLogFrame;
      told.push(frame.type === "entry" ? frame.entry.type : frame.type);
    }
  }
  expect(told).toEqual(["log", ...(await types("")).toReversed(), "current"]);
  await reader?.cancel();

  // Deleting a dialog also removes its messages.
  expect((await b.ask("DELETE", `/file/dialog-${kid}-waiting.md`)).ok).toBe(true);
  const without = await get<StepsAnswer>(b, `/agents/log/steps?run=${lead}`);
  expect(new Set(without.steps.map(({ dialogId }) => dialogId))).toEqual(new Set([lead]));
  expect(b.reported).toEqual([]);
});

test.each(["a".repeat(1_000_000), "../a", "a\\b", "\uD800", ""])("a name that no file can have is no file of the graph: %#", (path) => {
  const place = { cursor: "1", time: "2026-11-21T20:11:03.000Z", dialogId: "d", anchor: null, actor: { kind: "agent" } };
  const event = (type: string, data: object) => stepOf({ ...place, type, data } as unknown as LogEvent);
  expect(event("file_change", { call: "c", path, op: "write" })).toMatchObject({ what: "other" });
  expect(event("tool_call", { call: "c", tool: "vfs_read", input: { path } })).toMatchObject({ what: "call", reads: null });
  expect(event("file_change", { call: "c", path: "a/b", op: "write" })).toMatchObject({ what: "wrote", path: "a/b" });
});
