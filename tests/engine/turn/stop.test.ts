import { expect, test } from "vitest";
import type { DialogAnswer, DialogListing } from "../../../src/protocol/index.ts";
import { claudeMessages } from "../../../src/engine/prompt/claude.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { deferred } from "../deferred.ts";
import { type Bench, bench, type BenchOptions, call, ended, outcome, say, stopped } from "../harness.ts";

/** A response with these events that then waits until it is aborted. */
const endless = (...events: ProviderEvent[]) =>
  async function* (_request: unknown, signal: AbortSignal): AsyncIterable<ProviderEvent> {
    yield* events;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    yield stopped({ kind: "aborted" });
  };

const said = (text: string): ProviderEvent => ({ type: "text", text });

async function until(b: Bench, check: (dialog: DialogAnswer) => boolean): Promise<DialogAnswer> {
  let last: DialogAnswer | undefined;
  await expect
    .poll(async () => {
      const listing = (await (await b.ask("GET", "/dialogs")).json()) as { dialogId: string }[];
      if (!listing[0]) return false;
      last = (await (await b.ask("GET", `/dialog/${listing[0].dialogId}`)).json()) as DialogAnswer;
      return check(last);
    })
    .toBe(true);
  if (!last) throw new Error("no dialog");
  return last;
}

const textIs = (text: string) => (dialog: DialogAnswer) =>
  dialog.messages.at(-1)?.parts.some((part) => part.kind === "text" && part.text === text) ?? false;

test.each(["waiting", "done"] as const)(
  "stopped while it writes, as %s: what was said stays, and the next word is taken",
  async (status) => {
    const b = await bench([endless(said("Half a sen")), say("Again.")]);
    const stream = await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" });
    const { dialogId } = await until(b, textIs("Half a sen"));
    const answer = await b.ask("PUT", "/dialog", { dialogId, status });
    const { filename, markdown } = await b.dialog();
    expect(await answer.json()).toEqual({ ok: true, dialogId, filename, status });
    expect(filename).toMatch(new RegExp(`-${status}\\.md$`));
    expect(markdown).toMatch(/## Assistant\n> Time: \S+ - \S+\n\nHalf a sen\n\n> Stop: aborted\n$/);
    expect((await b.frames(stream)).at(-1)).toMatchObject({ type: "done", result: { interrupted: true, status, content: "Half a sen" } });
    await b.frames(await b.ask("PUT", "/dialog", { dialogId, prompt: "Go on" }));
    expect((await b.dialog()).filename).toMatch(/-done\.md$/);
  },
);

test("stopped before the first token: the section stays with its stop", async () => {
  const b = await bench([endless()]);
  await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" });
  const { dialogId } = await until(b, (dialog) => dialog.messages.length === 2);
  await b.ask("PUT", "/dialog", { dialogId, status: "waiting" });
  expect((await b.dialog()).markdown).toMatch(/## Assistant\n> Time: \S+ - \S+\n\n> Stop: aborted\n$/);
});

test("stopped while a command runs: its answer is kept, what was allowed and had not begun never runs", async () => {
  let aborted = false;
  const b = await bench(
    [[call("a", "run_command", { command: "sleep" }), call("b", "run_command", { command: "rm" }), ended], say("I see.")],
    {
      run: (_command, signal) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            aborted = true;
            resolve({ ...outcome("zz"), aborted: true, exitCode: 130 });
          }),
        ),
    },
  );
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  const stream = await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: approve" });
  await until(b, (dialog) => dialog.activity?.kind === "running");
  await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" });
  await b.frames(stream);
  expect(aborted).toBe(true);
  await until(
    b,
    (dialog) => dialog.messages.at(-1)?.parts.every((part) => part.kind !== "call" || part.call.state === "finished") ?? false,
  );
  expect(b.commands).toEqual(["sleep"]);
  const { markdown } = await b.dialog();
  expect(markdown).toContain("stopped by the user before it ran");
  expect(markdown.match(/^Started: /gm)).toHaveLength(1);
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "What now?" }));
  expect([b.commands, (await b.dialog()).filename.endsWith("-done.md")]).toEqual([["sleep"], true]);
});

/** A command that runs until it is aborted. */
const untilAborted: BenchOptions = {
  run: (_command, signal) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve({ ...outcome(""), aborted: true, exitCode: 130 }))),
};

async function stopWhileRunning(b: Bench, calls: readonly string[], decisions: string): Promise<string> {
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  const stream = await b.ask("PUT", "/dialog", { dialogId: id, decisions });
  await until(b, (dialog) => dialog.activity?.kind === "running");
  await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" });
  await b.frames(stream);
  for (const one of calls) await until(b, hasResult(one));
  return id;
}

const hasResult =
  (id: string) =>
  ({ messages }: DialogAnswer) =>
    messages.at(-1)?.parts.some((part) => part.kind === "call" && part.call.id === id && part.call.result !== null) ?? false;

const waitsFor = async (b: Bench) => ((await (await b.ask("GET", "/dialogs")).json()) as DialogListing[])[0]?.waitingFor;

test("stopped while a command runs: the file says so, and the list counts it among the stopped", async () => {
  const b = await bench([[said("I look."), call("a", "run_command", { command: "sleep" }), ended]], untilAborted);
  await stopWhileRunning(b, ["a"], "a: approve");
  const { markdown } = await b.dialog();
  expect(markdown.match(/^> Stop: .*$/gm)).toEqual(["> Stop: aborted"]);
  expect(markdown).toMatch(/"error": "stopped before it ended".*\n\n---\n\n> Stop: aborted\n$/s);
  expect(await waitsFor(b)).toBe("stopped");
});

test.each(["approve", "deny"] as const)(
  "stopped while a command runs and another call is undecided: %s comes too late, and runs nothing",
  async (word) => {
    const ending = deferred<void>();
    const calls = [call("a", "run_command", { command: "sleep" }), call("b", "run_command", { command: "rm" })];
    const b = await bench([[...calls, ended], say("I see.")], {
      run: async (_command, signal) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await ending.promise;
        return { ...outcome(""), aborted: true, exitCode: 130 };
      },
    });
    await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
    const { id } = await b.dialog();
    const stream = await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve" });
    await until(b, (dialog) => dialog.activity?.kind === "running");
    await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" });
    // The first call is still ending.
    const late = await b.ask("PUT", "/dialog", { dialogId: id, decisions: `b: ${word}`, authorizations: "allow run_command" });
    expect([late.status, await late.json()]).toMatchObject(
      word === "deny"
        ? [200, { ok: true }]
        : [409, { error: "You stopped the agent before this approval arrived, so nothing was run: b. Nothing was saved.", stopped: ["b"] }],
    );
    ending.resolve();
    await b.frames(stream);
    await until(b, hasResult("a"));
    const { filename, markdown } = await b.dialog();
    expect([b.commands, filename.endsWith("-waiting.md"), markdown.includes("Authorized")]).toEqual([["sleep"], true, word === "deny"]);
    expect(markdown).toContain('"error": "stopped by the user before it ran"');
    expect(markdown.match(/^> Stop: .*$/gm)).toEqual(["> Stop: aborted"]);
    expect(await waitsFor(b)).toBe("stopped");
  },
);

test.each([
  [
    "an error",
    stopped({ kind: "error", reason: "bad-key", message: "The key was not accepted." }),
    "> Stop: error The key was not accepted.",
  ],
  ["a cut stream", stopped({ kind: "interrupted", message: "cut" }), "> Stop: interrupted"],
  ["the token limit", stopped({ kind: "max_tokens" }), "> Stop: max_tokens"],
  ["a refusal", stopped({ kind: "refusal" }), "> Stop: refusal"],
  ["a full context", stopped({ kind: "context_window" }), "> Stop: context_window"],
])("%s ends the turn as waiting, keeps what came, runs no call, and can be gone on from", async (_title, end, line) => {
  const b = await bench([[said("So far"), call("a", "run_command", { command: "ls" }), end], say("Better.")], {
    welcome: [{ name: "doc-main.md", content: "> Authorized: run_command\n" }],
  });
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id, filename, markdown } = await b.dialog();
  expect([filename.endsWith("-waiting.md"), markdown.includes(`\n${line}\n`), markdown.includes("\nSo far\n"), b.commands]).toEqual([
    true,
    true,
    true,
    [],
  ]);
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: deny", prompt: "Once more" }));
  expect((await b.dialog()).filename).toMatch(/-done\.md$/);
});

test("a failed turn is tried again: the same request goes out, and no message is written that the human did not write", async () => {
  const failed = stopped({ kind: "error", reason: "server", message: "It broke." });
  const b = await bench([[failed], [failed], say("Better.")]);
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  for (let nth = 0; nth < 2; nth++) await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, again: true }));
  const { filename, markdown } = await b.dialog();
  expect(filename).toMatch(/-done\.md$/);
  expect([markdown.match(/^## User$/gm)?.length, markdown.match(/^> Stop: error It broke\.$/gm)?.length]).toEqual([1, 2]);
  expect(b.requests.map(({ dialog }) => claudeMessages(dialog))).toEqual(
    [1, 2, 3].map(() => [{ role: "user", content: [{ type: "text", text: "Go" }] }]),
  );
  // There is nothing to try again now, and a message counts as a message.
  for (const [body, status] of [
    [{ again: true }, 409],
    [{ again: true, prompt: "And?" }, 400],
    [{ again: "yes" }, 400],
  ] as const)
    expect((await b.ask("PUT", "/dialog", { dialogId: id, ...body })).status).toBe(status);
});

test("a failed turn that asked for something is not tried again before that is decided", async () => {
  const b = await bench([
    [call("a", "run_command", { command: "ls" }), stopped({ kind: "error", reason: "server", message: "It broke." })],
    say("Better."),
  ]);
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  const refused = await b.ask("PUT", "/dialog", { dialogId: id, again: true });
  expect([refused.status, await refused.json()]).toEqual([409, expect.objectContaining({ undecided: ["a"] })]);
  expect([b.commands, b.requests.length]).toEqual([[], 1]);
});

test("a provider that throws is our fault, said in the dialog, and does not hang it", async () => {
  const b = await bench([
    () => {
      throw new Error("boom");
    },
  ]);
  const frames = await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  expect(frames.map(({ type }) => type)).toEqual(["dialog", "error", "done"]);
  expect((await b.dialog()).markdown).toContain("> Stop: error the provider claude failed inside Vibey: boom");
});

test("a question ends the turn as waiting, unescaped only as the last line of a response without calls", async () => {
  const b = await bench([say("I have read it.\n\n> Waiting: Which colour?")]);
  const frames = await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { filename, markdown } = await b.dialog();
  expect(filename).toMatch(/-waiting\.md$/);
  expect(markdown).toMatch(/I have read it\.\n\n> Waiting: Which colour\?\n$/);
  expect(frames.at(-1)).toMatchObject({ result: { content: "I have read it.\n\n> Waiting: Which colour?", status: "waiting" } });
});

test.each(["waiting", "done"] as const)("a call that an earlier engine left allowed never runs once the human says %s", async (status) => {
  const b = await bench([say("I see.")]);
  const id = "20260101-000000-left";
  const content = `# Dialog\n> Format: 1\n> Provider: claude | Model: m\n\n## User\n\nGo\n\n## Assistant\n\n---\nTool request: run_command [a]\n\n    {"command": "rm x"}\n\nDecision: approved\n\n---\n`;
  await b.ask("POST", `/file/dialog-${id}-waiting.md`, { content });
  expect((await b.ask("PUT", "/dialog", { dialogId: id, status })).status).toBe(200);
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go on" }));
  expect(b.commands).toEqual([]);
  expect((await b.dialog()).markdown).toContain("stopped by the user before it ran");
});

test("a fault of Vibey while a command runs: the call is answered, nothing else runs, and the human is told by whom it was stopped", async () => {
  const calls = [call("a", "run_command", { command: "make" }), call("b", "write_file", { path: "x.txt", content: "x" })];
  const b = await bench([[said("I make it."), ...calls, ended], say("I see.")], { run: () => Promise.reject(new Error("no memory")) });
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  const frames = await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: approve" }));
  const fault = "Something went wrong in Vibey, so the agent was stopped: Error: no memory. Try again.";
  expect(frames.slice(-2)).toMatchObject([
    { type: "error", error: fault },
    { type: "done", result: { interrupted: true, status: "waiting" } },
  ]);
  const { filename, markdown } = await b.dialog();
  expect(markdown).toContain('{"success": false, "error": "interrupted: this may or may not have run"}');
  expect(markdown).toContain(`{"success": false, "error": "not run. ${fault}"}`);
  expect(markdown).not.toContain("by the user");
  expect(markdown).toContain(`\n> Stop: error ${fault}\n`);
  await expect(b.text("x.txt")).rejects.toThrow("no file");
  // No one works on the dialog: it can be edited by hand, and continues.
  expect((await b.ask("POST", `/file/${filename}`, { content: `${markdown}\n## User\n\nHm.\n` })).status).toBe(200);
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go on" }));
  expect((await b.dialog()).filename).toMatch(/-done\.md$/);
  expect(b.reported.map(String)).toEqual(["Error: no memory"]);
});

test("a fault of Vibey before the provider is asked is no stop of the human's", async () => {
  let broken = false;
  const options: BenchOptions = {
    get damaged() {
      return broken ? "vibey/doc-main.md" : "";
    },
  };
  const b = await bench([say("Hello."), say("Again.")], options);
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  broken = true;
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "And now?" }));
  expect((await b.dialog()).markdown).toMatch(
    /\n> Stop: error Something went wrong in Vibey, so the agent was stopped: .*doc-main\.md is damaged\. Try again\.\n$/,
  );
  broken = false;
  await b.frames(await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go on" }));
  expect((await b.dialog()).filename).toMatch(/-done\.md$/);
});

test("a turn that breaks off while an approved command runs, below the user's words, is told and continues without another word", async () => {
  const b = await bench([[call("a", "run_command", { command: "ls" }), call("b", "run_command", { command: "rm x" }), ended]], {
    run: () => new Promise(() => undefined),
  });
  await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  const { id } = await b.dialog();
  void b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve\nb: deny", prompt: "Keep x." });
  await expect.poll(() => b.commands).toEqual(["ls"]);
  const next = await b.reload();
  expect((await next.dialog()).markdown).toMatch(/Keep x\.\n\n> Stop: interrupted\n$/);
  const listed = (await (await next.ask("GET", "/dialogs")).json()) as DialogListing[];
  expect(listed.map(({ waitingFor }) => waitingFor)).toEqual(["interrupted"]);
  const log = (await (await next.ask("GET", "/log.json?type=abort")).json()) as { actor: unknown; data: unknown }[];
  expect(log).toMatchObject([{ actor: { kind: "vibey" }, data: { message: "interrupted" } }]);
  next.replies = [say("It stays.")];
  await next.frames(await next.ask("PUT", "/dialog", { dialogId: id, again: true }));
  expect((await next.dialog()).markdown).toMatch(/Keep x\.\n\n> Stop: interrupted\n\n## Assistant\n> Time: .*\n\nIt stays\.\n$/);
});
