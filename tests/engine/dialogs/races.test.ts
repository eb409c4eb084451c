import { describe, expect, test } from "vitest";
import type { DialogAnswer } from "../../../src/protocol/index.ts";
import { deferred } from "../deferred.ts";
import { memoryStore } from "../../../src/fs/memory.ts";
import { type Bench, bench, call, ended, outcome, type Reply, say, stopped } from "../harness.ts";

const main = (...lines: string[]) => ({
  welcome: [{ name: "doc-main.md", content: lines.map((line) => `> Authorized: ${line}\n`).join("") }],
});

async function start(b: Bench): Promise<string> {
  await (await b.ask("POST", "/dialog", { provider: "claude", slug: "boss", prompt: "Go" })).text();
  return (await b.dialog()).id;
}

async function view(b: Bench, id: string): Promise<DialogAnswer> {
  return (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
}

const listing = async (b: Bench) =>
  (await (await b.ask("GET", "/dialogs")).json()) as { dialogId: string; status: string; filename: string }[];
const idle = (b: Bench) => expect.poll(async () => (await listing(b)).every(({ status }) => status !== "active")).toBe(true);

describe("approve, stop and write in one breath", () => {
  test.each([
    ["launch_agent", { provider: "claude", model: "m", prompt: "Help", slug: "kid" }],
    ["write_file", { path: "x.txt", content: "x" }],
    ["run_command", { command: "date" }],
  ])("%s happens once or not at all, and the file says which", async (name, input) => {
    const b = await bench([[call("a", name, input), ended], say("One."), say("Two."), say("Three.")]);
    const id = await start(b);
    const answers = await Promise.all([
      b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve" }),
      b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" }),
      b.ask("PUT", "/dialog", { dialogId: id, prompt: "Wait, another thing" }),
    ]);
    for (const answer of answers) await answer.text();
    await idle(b);
    const kids = (await listing(b)).filter(({ dialogId }) => dialogId.endsWith("kid")).length;
    const wrote = [...b.store.names.keys()].filter((path) => path === "x.txt").length;
    const happened = kids + wrote + b.commands.length;
    const boss = (await listing(b)).find(({ dialogId }) => dialogId === id);
    const text = await b.text(`vibey/${boss?.filename}`);
    expect(happened).toBeLessThanOrEqual(1);
    expect(text.includes("stopped by the user before it ran")).toBe(happened === 0);
    expect(text.match(/^Result:/gm)).toHaveLength(1);
    expect(b.reported).toEqual([]);
  });
});

test("a dialog that is stopped while its agent launches another one, and then mentions an agent, keeps no dialog from being created", async () => {
  const [reached, mentioned, gate] = [deferred<void>(), deferred<void>(), deferred<void>()];
  let launches = false;
  const b = await bench(
    [
      async function* () {
        launches = true;
        yield call("a", "launch_agent", { provider: "claude", model: "m", prompt: "Help", slug: "kid" });
        yield ended;
      },
    ],
    {
      welcome: [
        { name: "doc-main.md", content: "> Authorized: launch_agent\n" },
        { name: "agent-coder.md", content: "---\ntools: []\n---\nYou are Coder.\n" },
      ],
      answer: say("Hello."),
      // The launch waits while it reads doc-main.md for the new dialog. It holds the queue in which dialogs are made.
      async beforeRead(path) {
        if (path === "vibey/agent-coder.md") mentioned.resolve();
        if (!launches || path !== "vibey/doc-main.md") return;
        launches = false;
        reached.resolve();
        await gate.promise;
      },
    },
  );
  const made = (await (await b.ask("POST", "/dialog/new", { provider: "claude", slug: "boss" })).json()) as { dialogId: string };
  const turn = b.ask("PUT", "/dialog", { dialogId: made.dialogId, prompt: "Go" });
  await reached.promise;
  expect((await b.ask("PUT", "/dialog", { dialogId: made.dialogId, status: "waiting" })).status).toBe(200);
  const mention = b.ask("PUT", "/dialog", { dialogId: made.dialogId, prompt: "@coder Hi" });
  // The mentioned agents are found in the dialog's own queue.
  await mentioned.promise;
  gate.resolve();
  expect((await mention).status).toBe(200);
  await (await turn).text();
  await idle(b);
  expect((await listing(b)).map(({ dialogId }) => dialogId.slice(16)).toSorted()).toEqual(["boss", "coder"]);
  const boss = (await listing(b)).find(({ dialogId }) => dialogId === made.dialogId);
  expect(await b.text(`vibey/${boss?.filename}`)).toContain("stopped by the user before it ran");
  expect(b.reported).toEqual([]);
});

test("authority that is given while a response streams decides nothing above itself", async () => {
  const gate = deferred<void>();
  const b = await bench([
    async function* () {
      yield { type: "text", text: "I will delete." };
      await gate.promise;
      yield call("a", "run_command", { command: "rm -rf ." });
      yield ended;
    },
    [call("b", "run_command", { command: "ls" }), ended],
    say("Done."),
  ]);
  const stream = b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" });
  await expect.poll(async () => (await listing(b)).length).toBe(1);
  const { id } = await b.dialog();
  await b.ask("PUT", "/dialog", { dialogId: id, authorizations: "allow run_command" });
  gate.resolve();
  await (await stream).text();
  expect(b.commands).toEqual([]);
  expect((await b.dialog()).markdown).toMatch(/rm -rf \."\}\n\n---\n\n> Authorized: run_command\n$/);
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve" })).text();
  expect(b.commands).toEqual(["rm -rf .", "ls"]);
});

test("what is taken back while a response streams is in the file at once, and stays so when the engine ends", async () => {
  const store = memoryStore();
  const replies: Reply[] = [
    say("Ready."),
    async function* () {
      yield { type: "text", text: "I am thinking" };
      await new Promise(() => undefined);
    },
  ];
  const b = await bench(replies, { store });
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Hi" })).text();
  const { id } = await b.dialog();
  const network = (allow: string | false) => b.ask("PUT", "/dialog", { dialogId: id, network: [{ host: "a.example", allow }] });
  await b.ask("PUT", "/dialog", { dialogId: id, authorizations: "allow run_command" });
  expect((await network("any method")).status).toBe(200);
  void b.ask("PUT", "/dialog", { dialogId: id, prompt: "Go" });
  await expect.poll(async () => (await b.dialog()).markdown).toContain("I am thinking");
  expect((await b.ask("PUT", "/dialog", { dialogId: id, authorizations: "allow write_file\ndeny run_command" })).status).toBe(200);
  await expect.poll(async () => (await b.dialog()).markdown).toMatch(/> Revoked: run_command\n\nI am thinking/);
  await network("any method and uploads");
  await network("GET only");
  await expect.poll(async () => (await b.dialog()).markdown).toMatch(/> Network: a\.example GET only\n\nI am thinking/);
  expect((await b.dialog()).markdown).not.toContain("uploads");

  const after = await bench([[call("a", "run_command", { command: "rm -rf ." }), ended]], { store });
  await (await after.ask("PUT", "/dialog", { dialogId: id, prompt: "Go on" })).text();
  expect(after.commands).toEqual([]);
});

test("a restriction that follows a permission in the same response holds at its end", async () => {
  const gate = deferred<void>();
  const b = await bench([
    async function* () {
      yield { type: "text", text: "I will list." };
      await gate.promise;
      yield call("a", "run_command", { command: "ls" });
      yield ended;
    },
    [call("b", "run_command", { command: "ls" }), ended],
  ]);
  const stream = b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" });
  await expect.poll(async () => (await listing(b)).length).toBe(1);
  const { id } = await b.dialog();
  for (const authorizations of ["allow run_command", "deny run_command"]) await b.ask("PUT", "/dialog", { dialogId: id, authorizations });
  gate.resolve();
  await (await stream).text();
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve" })).text();
  expect(b.commands).toEqual(["ls"]);
  expect((await b.dialog()).markdown).toMatch(/> Authorized: run_command\n> Revoked: run_command\n/);
});

test("a stop among the first tokens, while the store is busy, stops; no word is lost or moved", async () => {
  for (let delay = 0; delay < 12; delay += 1) {
    const busy = deferred<void>();
    let slow = false;
    const b = await bench(
      [
        async function* (_request, signal) {
          for (const text of ["Hello", "\n> Wa", "it", " here", " and ", "there"]) {
            if (signal.aborted) break;
            yield { type: "text", text };
            await Promise.resolve();
          }
          yield signal.aborted ? stopped({ kind: "aborted" }) : ended;
        },
      ],
      {
        aroundCommit: async (commit) => {
          if (slow) await busy.promise;
          return commit();
        },
      },
    );
    const answer = await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" });
    const { dialogId } = (await listing(b))[0] ?? { dialogId: "" };
    slow = true;
    const held = b.ask("PUT", "/dialog", { dialogId, authorizations: "allow edit_file" });
    for (let n = 0; n < delay; n += 1) await Promise.resolve();
    const stop = b.ask("PUT", "/dialog", { dialogId, status: "waiting" });
    await new Promise((resolve) => setTimeout(resolve, 2));
    slow = false;
    busy.resolve();
    expect([(await stop).status, (await held).status]).toEqual([200, 200]);
    await answer.text();
    const said = (await view(b, dialogId)).messages.at(-1)?.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])) ?? [];
    expect("Hello\n> Wait here and there".startsWith(said.join(""))).toBe(true);
    expect((await view(b, dialogId)).markdown).toBe((await b.dialog()).markdown);
    expect(b.reported).toEqual([]);
  }
});

test("a command that is stopped while it waits for its turn is answered, and nothing says that it began", async () => {
  let waiting = 0;
  const b = await bench([[call("a", "run_command", { command: "ls" }), ended]], {
    turn: (_command, { signal }) =>
      new Promise((resolve) => {
        waiting += 1;
        signal.addEventListener("abort", () => resolve(false));
      }),
  });
  const id = await start(b);
  const stream = await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve" });
  await expect.poll(() => waiting).toBe(1);
  expect((await b.dialog()).markdown).not.toMatch(/^Started:/m);
  await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" });
  await stream.text();
  const { markdown } = await b.dialog();
  expect(markdown).toContain("stopped by the user before it ran");
  expect(markdown).not.toMatch(/^Started:/m);
  expect([b.commands, b.reported]).toEqual([[], []]);
});

test("a dialog whose command still runs is not edited and not deleted; its result finds its place", async () => {
  const end = deferred<void>();
  const b = await bench([[call("a", "run_command", { command: "slow" }), ended], say("I go on.")], {
    run: async () => {
      await end.promise;
      return outcome("late\n");
    },
  });
  const id = await start(b);
  await b.ask("PUT", "/dialog", { dialogId: id, decisions: "a: approve" });
  await expect.poll(() => b.commands.length).toBe(1);
  await b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" });
  const { filename, markdown } = await b.dialog();
  expect((await b.ask("POST", `/file/${filename}`, { content: markdown })).status).toBe(409);
  expect((await b.ask("DELETE", `/file/${filename}`)).status).toBe(409);
  await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "Meanwhile" })).text();
  end.resolve();
  await expect.poll(async () => (await b.dialog()).markdown).toContain("late");
  expect((await view(b, id)).markdown).toBe((await b.dialog()).markdown);
  expect((await b.dialog()).filename).toMatch(/-done\.md$/);
  expect(b.reported).toEqual([]);
});

test("two saves of one file at once: both are answered, the later wins or is refused, and readers follow", async () => {
  const b = await bench([say("One."), say("Two.")]);
  const id = await start(b);
  const { filename, markdown } = await b.dialog();
  const both = await Promise.all(["A", "B"].map((word) => b.ask("POST", `/file/${filename}`, { content: markdown.replace("One.", word) })));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "On" })).text();
  expect((await view(b, id)).markdown).toBe((await b.dialog()).markdown);
  expect((await b.dialog()).markdown).toContain("Two.");
});

test("a call that can't run is answered when it is allowed, and wedges nothing", async () => {
  const b = await bench([[call("a", "format_disk", {}), stopped({ kind: "interrupted", message: "cut" })], say("I see.")]);
  const id = await start(b);
  expect((await b.dialog()).markdown).toContain("Unknown tool: format_disk");
  await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "On" })).text();
  const { filename } = await b.dialog();
  await b.ask("POST", `/file/${filename}`, {
    content:
      "# Dialog\n> Format: 1\n> Provider: claude | Model: m\n\n## User\n> Time: t\n\nHi\n\n## Assistant\n> Time: t - t\n\n---\nTool request: format_disk [b]\n\n    {}\n\n---\n",
  });
  b.replies = [say("Well.")];
  await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: "b: approve" })).text();
  expect((await b.dialog()).filename).toMatch(/-done\.md$/);
  expect(b.reported).toEqual([]);
});

test("a provider that is not here ends the turn with words, and the dialog goes on with another", async () => {
  const b = await bench([say("Here.")]);
  await b.ask("POST", "/file/dialog-20260101-000000-old-waiting.md", {
    content: "# Dialog\n> Format: 1\n> Provider: openai | Model: gpt\n\n## User\n> Time: t\n\nHi\n",
  });
  const id = "20260101-000000-old";
  const both = await Promise.all([
    b.ask("PUT", "/dialog", { dialogId: id, prompt: "On" }),
    b.ask("PUT", "/dialog", { dialogId: id, status: "waiting" }),
  ]);
  for (const answer of both) await answer.text();
  const next = await b.ask("PUT", "/dialog", { dialogId: id, prompt: "On", provider: "claude" });
  expect(next.status).toBe(200);
  await next.text();
  expect(b.requests.map(({ model }) => model)).toEqual(["model-1"]);
  expect((await b.dialog()).filename).toMatch(/-done\.md$/);
});

test.each(["constructor", "prototype", "__proto__", "toString", "hasOwnProperty"])(
  "a call with the id %s is decided like any other",
  async (callId) => {
    const b = await bench([[call(callId, "run_command", { command: "ls" }), ended], say("Done.")]);
    const id = await start(b);
    await (await b.ask("PUT", "/dialog", { dialogId: id, decisions: `${callId}: approve` })).text();
    expect(b.commands).toEqual(["ls"]);
  },
);

test("an error after a call is told, and so is the call", async () => {
  const b = await bench([
    [call("a", "run_command", { command: "ls" }), stopped({ kind: "error", reason: "server", message: "It broke." })],
  ]);
  const frames = await b.frames(await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  expect(frames.map(({ type }) => type)).toEqual(["dialog", "error", "tool_request", "done"]);
});

test("a file of another format is not written by a status either", async () => {
  const b = await bench();
  const content = "# Dialog\n> Format: 3\n> Provider: claude | Model: m\n";
  await b.ask("POST", "/file/dialog-20260101-000000-new-waiting.md", { content });
  expect((await b.ask("PUT", "/dialog", { dialogId: "20260101-000000-new", status: "done" })).status).toBe(409);
  expect(await b.text("vibey/dialog-20260101-000000-new-waiting.md")).toBe(content);
});

test("naming the provider that the dialog has keeps its model", async () => {
  const b = await bench([say("One."), say("Two.")]);
  await (await b.ask("POST", "/dialog", { provider: "claude", model: "model-2", prompt: "Go" })).text();
  const { id } = await b.dialog();
  await (await b.ask("PUT", "/dialog", { dialogId: id, prompt: "On", provider: "claude" })).text();
  expect(b.requests.map(({ model }) => model)).toEqual(["model-2", "model-2"]);
});

test("a dialog that is read in the moment of its birth lives", async () => {
  for (let delay = 0; delay < 25; delay += 1) {
    const b = await bench([say("Born."), say("Born.")], main("launch_agent"));
    const born = b.ask("POST", "/dialog", { provider: "claude", slug: "kid", prompt: "Go" });
    for (let n = 0; n < delay; n += 1) await Promise.resolve();
    await b.ask("GET", "/dialog/20261121-201101-kid");
    await (await born).text();
    expect((await b.dialog()).markdown).toContain("Born.");
    expect((await b.dialog()).filename).toMatch(/-done\.md$/);
  }
});
