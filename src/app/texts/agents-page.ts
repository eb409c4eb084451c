import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const agents = "Agents";
export const intro =
  "An agent is a Markdown file: a prompt, and the tools it can ask for. Mention it with @ in any dialog, or start a dialog with it.";
export const runs = "Graph and log of runs";
export const yours = "Your agents";
export const noneOfYours = "You have no agents yet. Write one, adopt one, or add a template.";
export const found = "Found in this project";
export const foundHint =
  "Files that other programs keep for their agents. Adopting copies the file to your agents. Agents with the read tool can then read project files without asking. Every other tool use needs your approval.";
export const instructions = "Instructions for other programs";
export const instructionsHint = "Agents here read main. “Use in main” adds a line that tells them to read the file.";
export const useInMain = "Use in main";
export const useFileInMain = (path: string) => `Use ${path} in main`;
export const isNamedInMain = "main names it";
export const namedInMain = (path: string) => `main names ${path} now.`;
/** The text of the line in main. */
export const readFirst = (path: string) => `Read \`${path}\` before you start.`;
export const templates = "Templates";
export const builtIn = "Built in";
export const editCopy = "Edit a copy";
export const editCopyOf = (name: string) => `Edit a copy of ${name}`;
export const editYours = "Edit yours";
export const editYoursOf = (name: string) => `Edit your copy of ${name}`;
export const yoursInstead = "your copy is used instead";
export const bounded = (tokens: string) => `up to ${tokens} tokens`;
export const prompt = "Prompt";
export const loading = "Loading…";
export const notLoaded = (why: string) => `Couldn't list the agents: ${why}`;

export const newDialog = "New dialog";
export const newDialogWith = (slug: string) => `New dialog with ${slug}`;
export const edit = "Edit";
export const editAgent = (slug: string) => `Edit ${slug}`;
export const versions = "Versions";
export const versionsOf = (slug: string) => `Versions of ${slug}`;
export const turnOff = "Turn off";
export const turnOffAgent = (slug: string) => `Turn off ${slug}`;
export const turnOn = "Turn on";
export const turnOnAgent = (slug: string) => `Turn on ${slug}`;
export const isOff = "off";
export const isSystem = "system agent: has no tools, can't be mentioned or started";
export const adopt = "Adopt";
export const adoptAgent = (slug: string) => `Adopt ${slug}`;
export const adoptAll = (count: number) => `Adopt all ${count}`;
export const showMore = (more: number, rows: number) => `Show ${number(more)} more (${number(rows)} left)`;
export const adopted = (slug: string) => `${slug} is one of your agents now.`;
export const adoptedSome = (count: number) => `${counted(count, "agent")} adopted.`;
export const add = "Add";
export const addAgent = (slug: string) => `Add ${slug}`;
export const failed = (slug: string, why: string) => `${slug}: ${why}`;

export const model = (name: string) => `model ${name}`;
export const goodAt = (capabilities: readonly string[]) => `good at ${capabilities.join(", ")}`;
export const reads = "reads files without asking";
export const can = (tools: readonly string[]) => `can ask to ${tools.join(", ")}`;
export const noTools = "no tools";
export const problems = (count: number) => counted(count, "problem");
export const unused = (count: number) => `${counted(count, "key")} not used here`;

/** What an agent with this tool can ask to do. */
export const toolWords: Readonly<Record<string, string>> = {
  run_command: "run commands",
  vfs_write: "write files",
  edit_file: "edit files",
  spawn_agent: "launch agents",
};
export const everything = "use every other tool";

export const compare = "Compare…";
export const compareAgent = (slug: string) => `Compare ${slug} with yours`;
export const adoptTitle = (slug: string) => `Adopt ${slug}?`;
export const adoptOverTitle = (slug: string) => `Adopt the new ${slug}?`;
export const adoptHint = (path: string) =>
  `This copies ${path} to your agents. It gives no permission beyond reading, where the file lists it.`;
export const adoptOverHint = (path: string) =>
  `${path} differs from your agent. Adopting replaces your file with it; the earlier one stays in its versions.`;
export const asks = "Can do";
export const usesModel = "Model";
export const isGoodAt = "Good at";
export const nothingNamed = "not specified";
export const usualModel = "the default";
export const fromTo = (before: string, after: string) => `${before} → ${after}`;
export const fileText = "The file";
export const fileChange = "What changes in the file";
export const keepYours = "Keep yours";
export const cancel = "Cancel";
export const notShown = (why: string) => `Couldn't read the file: ${why}`;
