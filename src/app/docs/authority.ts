export interface AuthorityLine {
  readonly line: string;
  /** What the line allows or limits, in words. */
  readonly meaning: string;
}

const allowed: Readonly<Record<string, string>> = {
  run_command: "Every new dialog may run commands without asking.",
  write_file: "Every new dialog may write files without asking.",
  edit_file: "Every new dialog may edit files without asking.",
  launch_agent: "Every new dialog may launch agents without asking.",
};

/** The lines of doc-main.md that give agents leave or hold them back, in their order, each with what it means. */
export function authorityLines(text: string): AuthorityLine[] {
  return text.split("\n").flatMap((raw) => {
    const line = raw.replace(/\r$/, "");
    const match = /^> (Authorized|Revoked|Limit): (.*)$/.exec(line);
    if (match === null) return [];
    return [{ line, meaning: meaning(match[1] ?? "", (match[2] ?? "").trim()) }];
  });
}

function meaning(key: string, value: string): string {
  if (key === "Authorized") return allowed[value] ?? `No tool is called "${value}", so this allows nothing.`;
  if (key === "Revoked")
    return value in allowed ? `Takes the leave for ${value} back: new dialogs ask first.` : `No tool is called "${value}".`;
  const agents = /^agents (\d+)$/.exec(value)?.[1];
  if (agents !== undefined) return agents === "1" ? "At most one agent runs at a time." : `At most ${agents} agents run at once.`;
  return "A limit that agents read; Vibey itself does not know it.";
}
