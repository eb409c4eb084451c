import { counted } from "./counted.ts";

export const form = "Agent";
export const name = "Name";
export const description = "Description";
export const model = "Model";
export const usualModel = "Default model";
export const active = "Active";
export const isActive = "Active";
export const isOff = "Off";
export const activeHint = "While it's off, you can't mention it with @ or start a dialog with it.";

export const tools = "Tools";
export const allTools = "All";
export const readFiles = "Read files";
export const writeFiles = "Write files";
export const runCommands = "Run commands";
export const launchAgents = "Launch agents";
export const toolsHint =
  "Reading needs no approval. Every other use of a tool does. Agents that it launches can only have tools it has itself, unless its file lists them by name.";

const readsAndWrites = "reads and writes files";
const reads = "reads files";
const writes = "writes files";
const runs = "runs commands";
const launches = "launches agents";
const everything = "all tools";
const nothing = "no tools";
/** What an agent does with its tools, in short. */
export function does(
  has: { readonly read: boolean; readonly write: boolean; readonly run: boolean; readonly launch: boolean } | null,
): string {
  if (has === null) return everything;
  const files = has.read && has.write ? readsAndWrites : has.read ? reads : has.write ? writes : null;
  return [files, has.run ? runs : null, has.launch ? launches : null].filter((word) => word !== null).join(", ") || nothing;
}
export const problems = (count: number) => counted(count, "problem");
export const notes = (problemCount: number, unusedCount: number) =>
  [problemCount > 0 ? problems(problemCount) : "", unusedCount > 0 ? `${counted(unusedCount, "key")} not used here` : ""]
    .filter(Boolean)
    .join(", ");

export const changed = (what: string) => `${what} changed.`;
export const notRead = (why: string) => `Couldn't read this agent: ${why}`;
export const sameName = (path: string) => `This agent isn't used: ${path} has the same name.`;
export const notChanged = (what: string, why: string) => `${what} wasn't changed: ${why}`;
export const notSaved = "your text below couldn't be saved first.";
export const otherChange = "someone else changed this file just now. It was read again; change it once more.";
export const otherValue = (value: string) =>
  value === ""
    ? "someone else has removed it. Press Enter to write yours."
    : `someone else changed it to “${value}”. Press Enter to write yours.`;
export const otherLine = (what: string) => `${what}: another line of the file still says otherwise. Change it in the text.`;
export const longPrompt = (characters: number) =>
  `The prompt has more than ${characters.toLocaleString("en-US")} characters. Agents follow shorter prompts better, and the prompt is sent with every message.`;
export const versions = "Versions of this file";
export const isSystem = "system agent, has no tools";
