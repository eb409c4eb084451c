import { expect, test } from "vitest";
import { everyChange, groupChange, hasGroup, type ToolGroup } from "../../../src/app/agents/tool-groups.ts";
import { editDefinition } from "../../../src/engine/agents/edit-definition.ts";
import { readDefinition } from "../../../src/engine/agents/read-definition.ts";
import { vibeyPath } from "../../../src/fs/vibey-name.ts";
import type { AgentChange } from "../../../src/protocol/index.ts";

const path = vibeyPath("agent-coder.md");
const groups: readonly ToolGroup[] = ["read", "write", "run", "launch"];

function agentOf(text: string) {
  const { fields, unused } = readDefinition(path, text);
  return { tools: fields.tools, agents: fields.agents, unused, text };
}
const file = (lines: string) => `---\n${lines}\n---\nYou are Coder.\n`;

function changed(text: string, change: AgentChange | null): string {
  const given = Object.entries(change ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return editDefinition(text, Object.fromEntries(given));
}

const files = [
  "description: all",
  "tools: []",
  "tools: [vfs_read]",
  "tools: Read, Grep, Bash, WebFetch",
  "tools: [vfs_delete, signal_parent, edit_file]",
  "tools: Task(reviewer, tester), Write",
  "tools:\n  bash: false\n  write: true",
  "# Why\ntools: [run_command] # that",
].map(file);

test.each(files)("a box that is checked or not says the same when the file is read again, and no other box changes: %j", (text) => {
  for (const group of groups)
    for (const isOn of [true, false]) {
      const before = agentOf(text);
      const after = agentOf(changed(text, groupChange(before, group, isOn)));
      expect(hasGroup(after.tools, group)).toBe(isOn ? "all" : "none");
      for (const other of groups) if (other !== group) expect(hasGroup(after.tools, other)).toBe(hasGroup(before.tools, other));
      expect(after.agents).toEqual(before.agents);
      expect(after.unused).toEqual(before.unused);
      expect(groupChange(after, group, isOn)).toBeNull();
    }
});

test.each(files)("all tools are a file without the key, and again a list: %j", (text) => {
  const before = agentOf(text);
  const all = agentOf(changed(text, everyChange(before, true)));
  expect(all.tools).toBeNull();
  expect(all.agents).toEqual(before.agents);
  expect(everyChange(all, true)).toBeNull();
  const listed = agentOf(changed(all.text, everyChange(all, false)));
  for (const group of groups) expect([listed.tools === null, hasGroup(listed.tools, group)]).toEqual([false, "all"]);
});

test("tools that no box stands for, and names of other programs, stay in the list", () => {
  const text = file("tools: [vfs_delete, Read, WebFetch]");
  expect(groupChange(agentOf(text), "run", true)).toEqual({ tools: ["vfs_read", "run_command", "vfs_delete", "WebFetch"] });
});

test("agents that a tool's name lists get a line of their own; those that have one keep it", () => {
  const named = agentOf(file("tools: Task(reviewer), Read"));
  expect(groupChange(named, "run", true)).toEqual({ tools: ["vfs_read", "run_command", "spawn_agent"], agents: ["reviewer"] });
  const own = agentOf(`${file("tools: Read\nagents: [reviewer]")}Call Task(x).\n`);
  expect(groupChange(own, "run", true)).toEqual({ tools: ["vfs_read", "run_command"] });
});
