import { clean } from "../../../dialog/clean.ts";
import type { JsonObject } from "../../../dialog/model.ts";
import type { ToolDefinition } from "../../providers/provider.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";

/** Agents of a run use it to start other agents: it takes the new agent's file and its task. */
export const spawnAgent: ToolDefinition = {
  name: "spawn_agent",
  description: `Create a new agent file in \`agents/\` and activate it with a task. It works on its own in the same run, and can send you messages with signal_parent. It has no tool that you don't have. The file is Markdown: front matter, then the agent's instructions, such as

---
name: Researcher
description: Finds facts and writes them down
tools: [vfs_read, vfs_list, vfs_write, signal_parent]
---

You are a research specialist. Write what you find to artifacts/research.md.`,
  inputSchema: textFields({
    filename: "The name of the agent's file, such as researcher.md.",
    content: "The whole file: front matter and instructions.",
    task: "What the agent is to do now. It can't see this dialog.",
  }),
};

export function checkSpawn(input: JsonObject): string | null {
  const wrong = checkTexts(input, ["filename", "content", "task"]);
  if (wrong !== null) return wrong;
  if (agentFileOf(textOf(input, "filename")) === null)
    return "filename: expected a name such as researcher.md, of at most 40 letters from a to z, digits and hyphens";
  return clean(textOf(input, "task")) === "" ? "task: expected text" : null;
}

/**
 * The slug for a file name in any folder: `agents/Data Analyst.md` is `data-analyst`. Null if there is none, or if other names would have the same
 * slug because it lacks letters of the name: the agents would share a file.
 */
export function agentFileOf(filename: string): string | null {
  const name = filename
    .slice(filename.lastIndexOf("/") + 1)
    .replace(/\.md$/i, "")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
  const slug = name
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replace(/^[-_]+/, "")
    .replace(/-+$/, "");
  const lacksLetters = /[^\P{L}a-z]|[^\P{N}0-9]/u.test(name);
  return slug === "" || slug.length > maxSlug || lacksLetters ? null : slug;
}

/** Characters of a slug. */
const maxSlug = 40;
