import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { AgentAnswer, AgentView, AgentWritten, BuiltInAgent } from "../../../src/protocol/index.ts";
import { type Bench, bench } from "../harness.ts";

const coder = `---
name: coder
description: Reviews code # short
model: sonnet
tools: [vfs_read]
---

You are Coder.
`;

async function put(b: Bench, path: string, text: string): Promise<void> {
  const answer = await b.engine.fetch(new Request(`http://engine/deed/${path}`, { method: "PUT", body: text }));
  expect(answer.status).toBe(200);
}
const list = async (b: Bench) => (await (await b.ask("GET", "/agents")).json()) as AgentView[];
const profile = async (b: Bench, slug: string) => (await (await b.ask("GET", `/agents/profile/${slug}`)).json()) as AgentAnswer;
const error = async (answer: Response) => [answer.status, ((await answer.json()) as { error: string }).error];

test("a new agent is a file in vibey/, and is listed before those of other programs", async () => {
  const b = await bench();
  expect(await list(b)).toEqual([]);
  await put(b, ".claude/agents/reviewer.md", "---\nname: reviewer\ntools: Read, Bash\nhooks: {}\n---\nYou review.\n");
  await put(b, "agents/coder.md", "Found.");
  await put(b, "docs/notes.md", "no agent");
  const made = await b.ask("POST", "/agents", { slug: "coder", text: coder });
  expect(made.status).toBe(201);
  expect(await made.json()).toEqual({
    slug: "coder",
    hash: createHash("sha256").update(coder).digest("hex"),
    problems: [],
  } satisfies AgentWritten);
  expect(await b.text("vibey/agent-coder.md")).toBe(coder);
  expect((await list(b)).map(({ slug, path, place, tools }) => [slug, path, place, tools])).toEqual([
    ["coder", "vibey/agent-coder.md", "yours", ["vfs_read"]],
    ["coder", "agents/coder.md", "found", null],
    ["reviewer", ".claude/agents/reviewer.md", "found", ["vfs_read", "run_command"]],
  ]);
  expect(await profile(b, "coder")).toMatchObject({ path: "vibey/agent-coder.md", text: coder, body: "You are Coder.", model: "sonnet" });
  expect(await profile(b, "reviewer")).toMatchObject({ unused: [{ key: "hooks", why: "Hooks would run without your approval." }] });
  expect(b.reported).toEqual([]);
});

test("a found agent replaces yours of its name only as both were shown", async () => {
  const b = await bench();
  await b.ask("POST", "/agents", { slug: "coder", text: coder });
  await put(b, "agents/coder.md", "Found.");
  const [own, found] = await list(b);
  const adopt = (more: object) => b.ask("POST", "/agents/adopt", { path: "agents/coder.md", hash: found?.hash, ...more });
  expect((await adopt({})).status).toBe(409);
  expect(await error(await adopt({ over: found?.hash }))).toEqual([412, "vibey/agent-coder.md reads otherwise now; nothing was stored"]);
  expect(await b.text("vibey/agent-coder.md")).toBe(coder);
  expect((await adopt({ over: own?.hash })).status).toBe(200);
  expect(await b.text("vibey/agent-coder.md")).toBe("Found.");
});

test("a change of a key changes its own line alone; a stale one changes nothing", async () => {
  const b = await bench();
  const { headers } = await b.ask("POST", "/agents", { slug: "coder", text: coder });
  const etag = headers.get("etag") ?? "";
  const changed = await b.ask("PUT", "/agents/profile/coder", { change: { is_active: false, model: null } }, { "if-match": etag });
  expect(changed.status).toBe(200);
  expect(await b.text("vibey/agent-coder.md")).toBe(coder.replace("model: sonnet\n", "").replace("]\n---", "]\nis_active: false\n---"));
  expect((await list(b))[0]).toMatchObject({ isActive: false, model: null });
  const stale = await b.ask("PUT", "/agents/profile/coder", { text: "Other." }, { "if-match": etag });
  expect(await error(stale)).toEqual([412, "vibey/agent-coder.md was changed meanwhile; nothing was stored"]);
  for (const body of [{ text: "Other." }, { change: { model: "opus" } }]) {
    const asNew = await b.ask("PUT", "/agents/profile/coder", body, { "if-none-match": "*" });
    expect(await error(asNew)).toEqual([412, "vibey/agent-coder.md exists already; nothing was stored"]);
  }
  const written = await b.ask("PUT", "/agents/profile/coder", { text: "---\nmax_tokens: many\n---\nOther." });
  expect(((await written.json()) as AgentWritten).problems).toEqual(["max_tokens: expected a whole number above 0."]);
  expect((await b.ask("DELETE", "/agents/profile/coder")).status).toBe(200);
  expect(await list(b)).toEqual([]);
});

test.each([
  [{ context: 20 }, "context: 20", { context: 20 }],
  [{ context: "all" }, "context: all", { context: "all" }],
  [{ reads: ["docs/**"] }, 'reads: ["docs/**"]', { reads: ["docs/**"] }],
  [{ writes: [] }, "writes: []", { writes: [] }],
  [{ approve_actions: ["run_command"] }, "approve_actions: [run_command]", { revoked: ["run_command"], escalated: [] }],
  [{ escalate_actions: ["vfs_delete"] }, "escalate_actions: [vfs_delete]", { revoked: ["vfs_delete"], escalated: ["vfs_delete"] }],
  [
    { approval_rules: [{ action: "delete: files", requires: "admin", timeout: 60 }, { action: "edit_file" }] },
    'approval_rules: [{action: "delete: files", requires: admin, timeout: 60}, {action: edit_file}]',
    { revoked: ["vfs_delete", "edit_file"], asksAgain: 60 },
  ],
])("a form can change %j", async (change, line, fields) => {
  const b = await bench();
  await b.ask("POST", "/agents", { slug: "coder", text: "---\nname: coder\n---\n\nYou code.\n" });
  expect((await b.ask("PUT", "/agents/profile/coder", { change })).status).toBe(200);
  expect(await b.text("vibey/agent-coder.md")).toBe(`---\nname: coder\n${line}\n---\n\nYou code.\n`);
  expect((await list(b))[0]).toMatchObject({ ...fields, problems: [] });
  const [key = ""] = Object.keys(change);
  await b.ask("PUT", "/agents/profile/coder", { change: { [key]: null } });
  expect(await b.text("vibey/agent-coder.md")).toBe("---\nname: coder\n---\n\nYou code.\n");
});

test("a built-in agent is shown with its prompt, and a copy takes its place", async () => {
  const b = await bench();
  const builtIn = async () => (await (await b.ask("GET", "/agents/built-in")).json()) as BuiltInAgent[];
  const [resolver] = await builtIn();
  expect(resolver).toMatchObject({ slug: "_fork-resolver", displayName: "Fork Resolver", maxTokens: 1_024, isReplaced: false });
  expect(resolver?.body).toContain("CONCLUSION");
  expect((await b.ask("POST", "/agents", { slug: "_fork-resolver", text: resolver?.text })).status).toBe(201);
  expect(await builtIn()).toEqual([{ ...resolver, isReplaced: true }]);
  expect(await list(b)).toMatchObject([{ slug: "_fork-resolver", place: "yours", isSystem: true, problems: [], unused: [] }]);
  await b.ask("DELETE", "/agents/profile/_fork-resolver");
  expect(await builtIn()).toEqual([resolver]);
});

test("what is asked for wrongly is named", async () => {
  const b = await bench();
  await put(b, "agents/found.md", "Found.");
  await b.ask("POST", "/file/agent-Coder.md", { content: coder });
  const taken = await b.ask("POST", "/agents", { slug: "coder", text: "x" });
  expect(await error(taken)).toEqual([409, "There is vibey/agent-Coder.md already"]);
  expect(await error(await b.ask("POST", "/agents", { slug: "Big", text: "x" }))).toEqual([400, expect.stringContaining("slug: expected")]);
  for (const method of ["GET", "DELETE"])
    expect(await error(await b.ask(method, "/agents/profile/nobody"))).toEqual([404, "Agent not found"]);
  expect((await b.ask("PUT", "/agents/profile/nobody", { text: "x" })).status).toBe(404);
  const both = await b.ask("PUT", "/agents/profile/coder", { text: "x", change: {} });
  expect(await error(both)).toEqual([400, "body: expected either text or change"]);
  const unknown = await b.ask("PUT", "/agents/profile/coder", { change: { permissions: "all" } });
  expect((await error(unknown))[0]).toBe(400);
  const wrong = await b.ask("PUT", "/agents/profile/coder", { change: { max_tokens: -1 } });
  expect(await error(wrong)).toEqual([400, "change.max_tokens: expected a number above 0"]);
  for (const [change, why] of [
    [{ context: "some" }, 'change.context: expected "all" or a whole number above 0'],
    [
      { approval_rules: [{ action: "x", requires: "anyone" }] },
      "change.approval_rules.0.requires: expected any_member, admin or specific_user",
    ],
  ] as const)
    expect(await error(await b.ask("PUT", "/agents/profile/coder", { change }))).toEqual([400, why]);
  for (const [method, body] of [
    ["PUT", { text: "x" }],
    ["DELETE", undefined],
  ] as const)
    expect(await error(await b.ask(method, "/agents/profile/found", body))).toEqual([
      403,
      "agents/found.md belongs to another program; only agents in vibey/ are changed here",
    ]);
  expect(await b.text("vibey/agent-Coder.md")).toBe(coder);
});

test("a file that is too large is an agent with a problem", async () => {
  const b = await bench();
  await put(b, "agents/a.md", "x".repeat(200_001));
  const [one] = await list(b);
  expect(one).toMatchObject({ slug: "a", problems: ["The file is larger than 200,000 bytes."] });
});

test("a changed file is read again", async () => {
  const b = await bench();
  await b.ask("POST", "/agents", { slug: "coder", text: coder });
  expect((await list(b))[0]?.description).toBe("Reviews code");
  await b.ask("POST", "/file/agent-coder.md", { content: coder.replace("Reviews code", "Writes code") });
  expect((await list(b))[0]?.description).toBe("Writes code");
});
