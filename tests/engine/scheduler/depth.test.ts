import { expect, test } from "vitest";
import { memoryFiles, memoryStore } from "../../../src/fs/memory.ts";
import { path } from "../../fs/notation.ts";
import { crew, launch } from "./crew.ts";

const allowed = "> Authorized: launch_agent";
const said = { type: "text", text: "Done." } as const;

test("agents launch agents as deep as the limit says; one more is refused, and nothing is made", async () => {
  const c = await crew(["depth 2", allowed]);
  c.reply("a", launch("1", "b"));
  c.reply("b", launch("2", "c"));
  c.reply("c", launch("3", "d"));
  await c.begin("a");
  await expect.poll(() => c.asked.toSorted().join("")).toBe("aabbcc");
  const { markdown } = await c.dialog("c");
  expect(markdown).toContain(
    '{"success": false, "error": "Agents can be nested 2 deep (doc-main.md: > Limit: depth 2), and this agent is at depth 2. ' +
      "No dialog was created. Do the work yourself, or say what's left to do.\"}",
  );
  expect((await (await c.b.ask("GET", "/dialogs")).json()) as unknown[]).toHaveLength(3);
  expect(c.notices).toEqual([
    "Agents can be nested 2 deep (doc-main.md: > Limit: depth 2), and this agent is at depth 2, so it couldn't launch another one.",
  ]);
  for (const name of ["a", "b", "c"]) c.reply(name, said);
  await c.is("|");
});

test("with depth 0 no agent launches another one", async () => {
  const c = await crew(["depth 0", allowed]);
  c.reply("a", launch("1", "b"));
  await c.begin("a");
  await expect.poll(() => c.asked.length).toBe(2);
  expect((await c.dialog("a")).markdown).toContain("and this agent is at depth 0");
});

test("what a launched dialog may do is what doc-main.md says, whatever its launcher was allowed", async () => {
  const c = await crew([allowed]);
  c.reply("a", launch("1", "b"), { type: "end", stop: { kind: "end" } });
  await c.begin("a");
  await c.put("a", { authorizations: ["run_command", "write_file"] });
  await expect.poll(() => c.asked.join("")).toContain("b");
  expect((await c.dialog("b")).authorized).toEqual(["launch_agent"]);
});

test.each([
  ["a parent that is gone ends the chain", { "20260101-000000-x": "20250101-000000-gone" }, 1],
  ["a circle ends where it closes", { "20260101-000000-x": "20260101-000000-y", "20260101-000000-y": "20260101-000000-x" }, 2],
])("%s", async (_title, parents, depth) => {
  const store = memoryStore();
  const files = memoryFiles({ now: () => 0, store });
  for (const [id, parent] of Object.entries(parents)) {
    const text = `# Dialog\n> Format: 1\n> Provider: claude\n> Model: model-1\n> Started: 2026-01-01T00:00:00.000Z\n> Launched by: ${parent}\n> Authorized: launch_agent\n`;
    await files.commit([{ op: "write", path: path(`vibey/dialog-${id}-waiting.md`), data: text }], { durability: "strict" });
  }
  for (const [limit, made] of [
    [depth, false],
    [depth + 1, true],
  ] as const) {
    await files.commit([{ op: "write", path: path("vibey/doc-main.md"), data: `> Limit: depth ${limit}\n` }], { durability: "strict" });
    const c = await crew([], { store });
    c.reply("go", launch("1", "new"));
    await c.put("x", { prompt: "go" });
    await expect.poll(() => c.asked.length).toBeGreaterThan(1);
    const names = ((await (await c.b.ask("GET", "/dialogs")).json()) as { dialogId: string }[]).map(({ dialogId }) => dialogId);
    expect(names.some((id) => id.endsWith("-new"))).toBe(made);
    await c.b.ask("PUT", "/dialogs", { status: "waiting" });
  }
});
