export interface AuthorityLine {
  readonly line: string;
  /** What the line allows or limits, in words. */
  readonly meaning: string;
}

const allowed: ReadonlyMap<string, string> = new Map([
  ["run_command", "Every new dialog may run commands without asking."],
  ["write_file", "Every new dialog may write files without asking."],
  ["edit_file", "Every new dialog may edit files without asking."],
  ["launch_agent", "Every new dialog may launch agents without asking."],
]);

/** The lines of doc-main.md that give agents leave or hold them back, in their order, each with what it means. A name counts as it stands: exact. */
export function authorityLines(text: string): AuthorityLine[] {
  return text.split("\n").flatMap((line) => {
    const [, key, value] = /^> (Authorized|Revoked|Limit): (.*)$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [{ line, meaning: meaning(key, value) }];
  });
}

function meaning(key: string, value: string): string {
  if (key === "Limit") return "Agents read this limit; Vibey does not enforce it yet.";
  const leave = allowed.get(value);
  if (leave === undefined) {
    return allowed.has(value.trim())
      ? "There are spaces around the name, so this says nothing."
      : `No tool is called "${value}", so this says nothing.`;
  }
  return key === "Authorized" ? leave : `Takes the leave for ${value} back: new dialogs ask first.`;
}
