import type { JsonObject } from "../../dialog/model.ts";
import type { ToolCategory } from "../../dialog/outside.ts";

/** The places on the map, from left to right and from top to bottom. */
export const stations = ["bookshelf", "desk", "workbench", "scanner", "center", "terminal", "antenna", "portal", "taskboard"] as const;
export type Station = (typeof stations)[number];

const byCategory: Readonly<Record<ToolCategory, Station>> = {
  read: "bookshelf",
  write: "desk",
  edit: "workbench",
  execute: "terminal",
  search: "scanner",
  network: "antenna",
  delegate: "portal",
  plan: "taskboard",
  interact: "center",
  other: "center",
};

/** Where Vibey's own tools are used. */
const byTool: ReadonlyMap<string, Station> = new Map<string, Station>([
  ["vfs_read", "bookshelf"],
  ["vfs_list", "scanner"],
  ["vfs_write", "desk"],
  ["write_file", "desk"],
  ["vfs_delete", "workbench"],
  ["edit_file", "workbench"],
  ["launch_agent", "portal"],
  ["spawn_agent", "portal"],
  ["signal_parent", "center"],
  // Tools of outside agents, for events without a category.
  ["Bash", "terminal"],
  ["Read", "bookshelf"],
  ["Write", "desk"],
  ["Edit", "workbench"],
]);

const byProgram: ReadonlyMap<string, Station> = new Map<string, Station>([
  ...["cat", "head", "tail", "less", "more", "wc", "stat", "file"].map((program) => [program, "bookshelf"] as const),
  ...["grep", "rg", "find", "ls", "fd", "which", "tree"].map((program) => [program, "scanner"] as const),
  ...["curl", "wget", "ping"].map((program) => [program, "antenna"] as const),
]);

/** Where an agent is while it uses a tool. `category`: as given by an agent outside Vibey. */
export function stationOf(tool: string, input: JsonObject, category: ToolCategory | undefined): Station {
  if (category !== undefined) return byCategory[category];
  if (tool === "run_command") return byProgram.get(firstProgram(input["command"])) ?? "terminal";
  return byTool.get(tool) ?? "center";
}

/** The program at the beginning of a command, after any variables that are set for it. */
function firstProgram(command: unknown): string {
  if (typeof command !== "string") return "";
  const words = command.slice(0, 400).trim().split(/\s+/);
  const first = words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? "";
  return first.slice(first.lastIndexOf("/") + 1);
}
