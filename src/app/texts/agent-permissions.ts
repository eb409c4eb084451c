import type { ToolPermissionRow } from "../../protocol/index.ts";

export const toolPermissions = "What it may do";
export const notRead = (why: string) => `Couldn't load what it may do: ${why}`;
export const tools: Readonly<Record<string, string>> = {
  run_command: "Run commands",
  write_file: "Write files",
  edit_file: "Edit files",
  launch_agent: "Launch agents",
  vfs_read: "Read files",
  vfs_list: "List files",
  vfs_write: "Write files",
  vfs_delete: "Delete files",
  spawn_agent: "Start agents",
  signal_parent: "Send messages to the agent that started them",
};
/** Shown after a tool's name; followed by the lines of main that say so. */
export function may({ may: word, because }: ToolPermissionRow): string {
  switch (word) {
    case "no":
      return "no, as its file says";
    case "ask":
      return because === "file" ? "asks you each time, as its file says" : because === "main" ? "asks you:" : "asks you";
    case "ask-always":
      return "always needs approval (set in its file)";
    case "run":
      return because === "file" ? "without asking: it only reads" : "without asking:";
    case "run-some":
      return "asks you, except for";
  }
}
export const mainLine = (line: number) => `main, line ${line}`;

/** The files to which its own file limits it. */
export const within = (paths: readonly string[]) => (paths.length === 0 ? "(no file)" : `(only ${paths.join(", ")})`);

export const levels = "What runs without asking";
export const levelsHint =
  "These lines in main apply to every agent in this project, starting with its next dialog. An agent's file can only restrict them further.";
export const levelWords = [
  "0: Nothing. Everything needs approval.",
  "1: Reading files. In a run, also messages to the agent above.",
  "2: Reading, writing, and commands",
  "3: Everything. In a run, agents still ask before they delete a file.",
] as const;
export const ownLines = "main has lines of its own.";
export const mainChange = "Lines that change in main";
export const cancel = "Cancel";
export const writeLines = "Write to main";
export const linesWritten = "main changed.";
export const linesNotWritten = (why: string) => `main wasn't changed: ${why}`;
