import type { PowerRow } from "../../protocol/index.ts";

export const powers = "What it may do";
export const notRead = (why: string) => `Couldn't load what it may do: ${why}`;
export const tools: Readonly<Record<string, string>> = {
  run_command: "Run commands",
  write_file: "Write files",
  edit_file: "Edit files",
  launch_agent: "Launch agents",
  vfs_read: "Read files",
  vfs_list: "List files",
};
/** What stands behind a tool's name; the lines of main that say so follow. */
export function may({ may: word, because }: PowerRow): string {
  switch (word) {
    case "no":
      return "no: its file doesn't list it";
    case "ask":
      return because === "file" ? "asks you each time, as its file says" : "asks you";
    case "run":
      return because === "file" ? "without asking: it only reads" : "without asking:";
    case "run-some":
      return "asks you, except for";
  }
}
export const mainLine = (line: number) => `main, line ${line}`;
