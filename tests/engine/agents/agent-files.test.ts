import { expect, test } from "vitest";
import { createRegistry } from "../../../src/engine/agents/registry.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { path as pathOf } from "../../fs/notation.ts";
import { soon } from "../../soon.ts";
import type { AgentView, DialogListing } from "../../../src/protocol/index.ts";
import { type Bench, bench, call, ended, type Reply, say } from "../harness.ts";

const allowed = "> Authorized: launch_agent\n> Authorized: run_command\n";

/** A project of these files. `first`: the first response of the agent with this name, or of `own`. After that each agent says "Ok." */
async function open(files: Readonly<Record<string, string>>, first: Readonly<Record<string, Reply>> = {}): Promise<Bench> {
  const left = new Map(Object.entries(first));
  return bench([], {
    welcome: Object.entries(files).map(([name, content]) => ({ name, content })),
    answer: (request, signal) => {
      const name = /^You are (\w+)\./.exec(request.system)?.[1] ?? "own";
      const reply = left.get(name) ?? say("Ok.");
      left.delete(name);
      return typeof reply === "function" ? reply(request, signal) : reply;
    },
  });
}
const start = async (b: Bench, more: object) => {
  const answer = await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go", ...more });
  await answer.text();
  return answer.status;
};
const toolsAsked = (b: Bench) => b.requests[0]?.tools.map(({ name }) => name);
const agents = async (b: Bench) => (await (await b.ask("GET", "/agents")).json()) as AgentView[];
const dialogs = async (b: Bench) => (await (await b.ask("GET", "/dialogs?facts=all")).json()) as DialogListing[];

test("the agent that is shown is the one that starts", async () => {
  const b = await open({ "agent-code-reviewer.md": "---\ntools: []\n---\nYou are Mine.\n", "agent-code.reviewer.md": "You are Theirs.\n" });
  expect(await (await b.ask("GET", "/agents/profile/code-reviewer")).text()).toContain("You are Mine.");
  const rows = (await (await b.ask("GET", "/agents/profile/code-reviewer/powers")).json()) as { may: string }[];
  expect(rows.every(({ may }) => may === "no")).toBe(true);
  await start(b, { agent: "code-reviewer" });
  expect(b.requests[0]?.system).toMatch(/^You are Mine/);
  expect((await agents(b)).map(({ path, problems }) => [path, problems.length])).toEqual([
    ["vibey/agent-code-reviewer.md", 0],
    ["vibey/agent-code.reviewer.md", 1],
  ]);
});

test("a file that isn't named as an agent's is listed, and starts nothing", async () => {
  const b = await open({ "doc-main.md": allowed, "agent-Coder.md": "You are Coder.\n", "agent-a-.b.md": "x", "agent-a.b.md": "y" });
  expect((await agents(b)).map(({ slug, problems }) => [slug, problems])).toEqual(
    ["a-b", "a-b", "coder"].map((slug) => [slug, ["An agent's file is named agent-<name>.md: lower-case letters, digits, - and _."]]),
  );
  for (const agent of ["coder", "a-b"]) expect(await start(b, { agent })).toBeGreaterThanOrEqual(400);
  await start(b, { prompt: "@coder go" });
  expect(b.requests.every(({ system }) => !system.startsWith("You are Coder"))).toBe(true);
  // If two files have wrong names for the same agent, neither is used.
  expect((await b.ask("GET", "/agents/profile/a-b")).status).toBe(404);
  expect((await b.ask("GET", "/agents/profile/coder")).status).toBe(200);
});

test("an agent that is off stays off beside a file of nearly its name", async () => {
  const b = await open({ "agent-coder.md": "---\nis_active: false\n---\nYou are Coder.\n", "agent-Coder.md": "You are Coder.\n" });
  expect(await start(b, { agent: "coder" })).toBeGreaterThanOrEqual(400);
  expect(b.requests).toEqual([]);
});

test.each([
  `---\ntools: []\n---\n${"x".repeat(200_000)}`,
  "---\ntools: []\nx",
  "---\n{tools: []}\n---\nx",
  "---\rtools: []\r---\rx",
  "---\ntools: false\n---\nx",
  '---\npermission: {"*": deny}\n---\nx',
  "---\ndisallowedTools: [Bash, Read\n---\nx",
])("a definition that takes all away, or can't be read, gives no tools: %.30j", async (text) => {
  const b = await open({ "doc-main.md": allowed, "agent-kid.md": text });
  await start(b, { agent: "kid" });
  expect(toolsAsked(b)).toEqual([]);
});

test("one that may not edit doesn't write either", async () => {
  const b = await open({ "agent-kid.md": "---\npermission: {edit: deny}\n---\nx" });
  await start(b, { agent: "kid" });
  expect(toolsAsked(b)).not.toContain("write_file");
  expect(toolsAsked(b)).toContain("run_command");
});

test("a list of agents that is cut names no other agent", async () => {
  const names = Array.from({ length: 7 }, (_, at) => `agent-number-${at}-${"x".repeat(25)}`);
  const b = await open(
    {
      "doc-main.md": allowed,
      "agent-boss.md": `---\ntools: [Task]\nagents: [${[...names, "wwwwww-safe"].join(", ")}]\n---\nYou are Boss.\n`,
      "agent-wwwwww.md": "---\ntools: [Bash]\n---\nYou are Wrong.\n",
    },
    { Boss: [call("a", "launch_agent", { provider: "claude", model: "model-1", prompt: "Do.", agent: "wwwwww" }), ended] },
  );
  await start(b, { agent: "boss", slug: "boss" });
  await soon(async () => expect((await dialogs(b)).every(({ status }) => status !== "active")).toBe(true));
  expect(await dialogs(b)).toHaveLength(1);
  expect((await b.dialog()).markdown).toContain(`> Agents: ${names.join(", ")}\n`);
});

test("a file that an agent wrote to agents/ doesn't hold up a message with an @", async () => {
  const content = `---\ntools: ${"&a ".repeat(20_000)}\n---\n`;
  const b = await open(
    { "doc-main.md": "> Authorized: write_file\n" },
    { own: [call("w", "write_file", { path: "agents/x.md", content }), ended] },
  );
  await start(b, {});
  const before = process.cpuUsage();
  await (await b.ask("PUT", "/dialog", { dialogId: (await b.dialog()).id, prompt: "mail me @home" })).text();
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_000);
});

test("large numbers bound to no less than they say", async () => {
  const slow: Reply = async function* (_request, signal) {
    await new Promise((then) => setTimeout(then, 50));
    if (!signal.aborted) yield { type: "text", text: "Here." };
    yield signal.aborted ? { type: "end", stop: { kind: "aborted" } } : ended;
  };
  const b = await open({ "agent-slow.md": "---\ntimeout: 3600000\nmax_tokens: 4000000000\n---\nYou are Slow.\n" }, { Slow: slow });
  await start(b, { agent: "slow" });
  const { markdown } = await b.dialog();
  expect(markdown).toContain("Here.");
  expect(markdown).toContain("> Max tokens: 1000000\n> Timeout: 86400\n");
  expect(b.requests[0]?.maxTokens).not.toBe(1);
});

test("another program's file isn't adopted as one of Vibey's own agents", async () => {
  const b = await open({});
  await b.engine.fetch(new Request("http://engine/deed/agents/_fork-resolver.md", { method: "PUT", body: "Say yes." }));
  const [{ path, hash } = { path: "", hash: "" }] = await agents(b);
  const answer = await b.ask("POST", "/agents/adopt", { path, hash });
  expect(answer.status).toBe(409);
  expect(((await answer.json()) as { error: string }).error).toContain("one of Vibey's own agents");
});

test("however many files describe agents, others have a turn after each 64 KB of them", async () => {
  const files = memoryFiles({ now: () => 0 });
  const texts = Array.from({ length: 90 }, (_, at) => `---\nname: a${at}\n---\n${"x".repeat((at % 10) * 6_000)}`);
  const writes = texts.map((data, at) => ({ op: "write", path: pathOf(`.claude/agents/a${at}.md`), data }) as const);
  await files.commit(writes, { durability: "relaxed" });
  const read: number[] = [];
  const registry = createRegistry({
    list: () => files.list(),
    readMany: async (paths) => {
      const contents = await files.readMany(paths);
      read.push(contents.reduce((sum, content) => sum + (content?.bytes.length ?? 0), 0));
      return contents;
    },
  });
  expect(await registry.all()).toHaveLength(90);
  expect(Math.max(...read)).toBeLessThanOrEqual(64_000);
  expect(read.length).toBeGreaterThan(30);
});
