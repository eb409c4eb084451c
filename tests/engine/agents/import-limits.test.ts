import { expect, test } from "vitest";
import type { OfferedFile } from "../../../src/engine/agents/import/model.ts";
import { planImport } from "../../../src/engine/agents/import/plan-import.ts";

const plan = (files: readonly OfferedFile[]) => planImport(files, new Map());
const times = <T>(count: number, one: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => one(at));
const configs = (count: number, config: unknown) => times(count, (at) => ({ path: `d${at}/opencode.json`, text: JSON.stringify(config) }));
/** The UTF-16 units of all files to be written. */
const written = (files: readonly OfferedFile[]) => files.reduce((sum, { text }) => sum + text.length, 0);

const denied = { bash: Object.fromEntries(times(1_000, (at) => [`command-${at}`, "deny"])) };

test("what a configuration says of all agents is written for as many as one import has YAML for; the others are told of", () => {
  const agent = Object.fromEntries(times(100, (at) => [`a${at}`, { prompt: "Do it." }]));
  const { writes, unused } = plan(configs(20, { permission: denied, agent }));
  expect([writes.length, unused.length]).toEqual([9, 1_991]);
  expect(new Set(unused.map(({ why }) => why))).toEqual(
    new Set(["What is before it makes as much YAML as one import writes. Import it with fewer other agents."]),
  );
  expect(written(writes)).toBeLessThan(400_000);
});

test("so it is with agents that have files of their own", () => {
  const own = times(500, (at) => ({ path: `.opencode/agent/a${at}.md`, text: "Do it." }));
  const { writes, unused } = plan([{ path: "opencode.json", text: JSON.stringify({ permission: denied }) }, ...own]);
  expect([writes.length, unused.length]).toEqual([9, 491]);
  // No agent is imported without its denials.
  expect(writes.every(({ text }) => text.includes("command-999: deny"))).toBe(true);
});

test("one import brings 2,000 files at most, and says of as many why they don't come", () => {
  const agent = Object.fromEntries(times(100, (at) => [`a${at}`, { prompt: "x" }]));
  const { writes, unused } = plan(configs(50, { agent }));
  expect([writes.length, new Set(writes.map(({ path }) => path)).size]).toEqual([2_000, 2_000]);
  expect(unused.at(-1)).toEqual({ path: "…", why: "1,000 more aren't imported." });
  expect([unused.length, unused[0]?.why]).toEqual([2_001, "One import brings at most 2,000 files."]);
  const nothing = plan(configs(50, { agent: Object.fromEntries(times(100, (at) => [`a${at}`, {}])) }));
  expect([nothing.writes.length, nothing.unused.length]).toEqual([0, 2_001]);
});

test("a heartbeat of comments schedules nothing, and one that does not end is no comment", () => {
  const heart = (text: string) =>
    plan([
      { path: "SOUL.md", text: "You code." },
      { path: "HEARTBEAT.md", text },
    ]).schedules;
  expect(heart("<!-- every 30 minutes -->\n<!---->")).toEqual([]);
  expect(heart("<!-- a --> every 30 minutes <!-- b -->")).toEqual(["> Schedule: agent every 30m"]);
  expect(heart("<!-- a\nevery 30 minutes")).toEqual(["> Schedule: agent every 30m"]);
  expect(heart("<!-->every 30 minutes-->")).toEqual([]);
});

test("comments that don't end are looked for once: read to the end for each, they take longer than a test has", () => {
  const folders = times(100, (at) => [
    { path: `d${at}/SOUL.md`, text: "x" },
    { path: `d${at}/HEARTBEAT.md`, text: "<!--".repeat(50_000) },
  ]);
  expect(plan(folders.flat()).schedules).toHaveLength(100);
});
