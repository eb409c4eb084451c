import { type AgentTool, agentTools } from "./definition.ts";

/** Tool names of other programs, in lower case, with the equivalent tools here. */
const others: Readonly<Record<string, readonly AgentTool[]>> = {
  bash: ["run_command"],
  execute: ["run_command"],
  shell: ["run_command"],
  terminal: ["run_command"],
  exec_command: ["run_command"],
  runcommands: ["run_command"],
  runinterminal: ["run_command"],
  runtests: ["run_command"],
  runtasks: ["run_command"],
  run_shell_command: ["run_command"],
  run_terminal_cmd: ["run_command"],
  read: ["vfs_read"],
  view: ["vfs_read"],
  notebookread: ["vfs_read"],
  glob: ["vfs_list", "vfs_read"],
  grep: ["vfs_list", "vfs_read"],
  search: ["vfs_list", "vfs_read"],
  codebase: ["vfs_list", "vfs_read"],
  usages: ["vfs_list", "vfs_read"],
  findtestfiles: ["vfs_list", "vfs_read"],
  readfile: ["vfs_read"],
  read_file: ["vfs_read"],
  read_many_files: ["vfs_read"],
  grep_search: ["vfs_list", "vfs_read"],
  search_file_content: ["vfs_list", "vfs_read"],
  codebase_search: ["vfs_list", "vfs_read"],
  list_directory: ["vfs_list"],
  list_dir: ["vfs_list"],
  listdirectory: ["vfs_list"],
  list_files: ["vfs_list"],
  filesearch: ["vfs_list", "vfs_read"],
  textsearch: ["vfs_list", "vfs_read"],
  glob_files: ["vfs_list", "vfs_read"],
  grep_files: ["vfs_list", "vfs_read"],
  ls: ["vfs_list"],
  list: ["vfs_list"],
  edit: ["edit_file"],
  multiedit: ["edit_file"],
  replace: ["edit_file"],
  editfiles: ["edit_file", "vfs_write"],
  createfile: ["vfs_write"],
  write: ["vfs_write"],
  write_file: ["vfs_write"],
  launch_agent: ["spawn_agent"],
  task: ["spawn_agent"],
  agent: ["spawn_agent"],
  runsubagent: ["spawn_agent"],
};

/** VS Code's tool sets. A tool of a set is named like `edit/editFiles`. Before any other slash is the name of an MCP server. */
const sets = new Set(["edit", "search", "read", "execute", "agent", "runcommands", "runtasks", "runtests"]);
/** Tools of these sets that only show what the editor knows. */
const editorTools = new Set(
  (
    "getterminaloutput awaitterminal killterminal terminallastcommand terminalselection gettaskoutput testfailure problems changes searchresults " +
    "getnotebooksummary readnotebookcelloutput"
  ).split(" "),
);

export interface NamedTools {
  readonly tools: readonly AgentTool[];
  /** The slugs in `Agent(…)` and `Task(…)`. */
  readonly agents: readonly string[];
  /** Names without meaning here, as written. */
  readonly unknown: readonly string[];
}

/** The tools that a list names, in any case. Each is listed once, in Vibey's order. */
export function readTools(names: readonly string[]): NamedTools {
  const found = new Set<AgentTool>();
  const agents: string[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    const [, tool = name, inner] = /^([^()]+)\(([^]*)\)$/.exec(name.trim()) ?? [];
    const key = tool.trim().toLowerCase();
    const meant = meaningOf(key);
    for (const one of meant) found.add(one);
    if (meant.length === 0) unknown.push(name.trim());
    else if (inner !== undefined) {
      // `Bash(git *)` restricts the commands. Here, every command needs approval.
      if (meant[0] === "spawn_agent")
        agents.push(
          ...inner
            .split(",")
            .map((slug) => slug.trim().toLowerCase())
            .filter(Boolean),
        );
    }
  }
  return { tools: agentTools.filter((tool) => found.has(tool)), agents, unknown };
}

/** The tools that a name in a rule means. `*` matches any part of a name. */
export function toolsOfRule(name: string): readonly AgentTool[] {
  const key = name.trim().toLowerCase();
  if (!key.includes("*")) return readTools([key]).tools;
  const fits = [...agentTools, ...Object.keys(others)].filter((one) => isLike(one, key.split("*")));
  return readTools(fits).tools;
}

/** The tools that a rule removes. Other programs have no tool for deleting, so an agent that may not write or edit there can't delete either. */
export function toolsTaken(name: string): readonly AgentTool[] {
  const tools = toolsOfRule(name);
  const isOwn = agentTools.some((tool) => tool === name.trim().toLowerCase());
  return !isOwn && tools.some((tool) => tool === "edit_file" || tool === "vfs_write") ? [...tools, "vfs_delete"] : tools;
}

/** Whether the name contains these parts in order, the first at its start and the last at its end. */
function isLike(name: string, parts: readonly string[]): boolean {
  const [first = "", ...rest] = parts;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}

/** The meaning of `edit/editFiles` is that of the tool, or else that of the set. */
function meaningOf(key: string): readonly AgentTool[] {
  const own = agentTools.find((one) => one === key);
  if (own !== undefined) return [own];
  const [set = key, tool, ...more] = key.split("/");
  if (tool === undefined) return wordFor(key);
  if (more.length > 0 || !sets.has(set) || editorTools.has(tool)) return [];
  const meant = wordFor(tool);
  return meant.length > 0 ? meant : wordFor(set);
}

const wordFor = (key: string): readonly AgentTool[] => (Object.hasOwn(others, key) ? (others[key] ?? []) : []);
