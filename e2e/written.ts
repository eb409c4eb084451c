import type { App } from "./app.ts";

/** Dialogs written as files, as an export or another Vibey left them. */

type Status = "active" | "waiting" | "done";

/** A section of a dialog, with optional lines of metadata at its end. */
export type Section = readonly [role: "User" | "Assistant", text: string, ...meta: string[]];

export function dialogText(sections: readonly Section[], head: readonly string[] = []): string {
  const lines = [
    "# Dialog",
    "> Format: 1",
    "> Provider: claude | Model: claude-sonnet-5-5",
    "> Started: 2026-11-21T20:11:00.000Z",
    ...head,
  ];
  const time = { User: "2026-11-21T20:11:00.000Z", Assistant: "2026-11-21T20:11:01.000Z - 2026-11-21T20:11:14.000Z" };
  for (const [role, text, ...meta] of sections) {
    lines.push("", `## ${role}`, `> Time: ${time[role]}`, "", text);
    if (meta.length > 0) lines.push("", ...meta);
  }
  return `${lines.join("\n")}\n`;
}

export const call = (id: string, command: string, rest = ""): string =>
  `---\nTool request: run_command [${id}]\n\n    ${JSON.stringify({ command })}\n${rest}\n---`;

/** Stores the file and returns the dialog's id. A dialog written as active is found interrupted. */
export async function writeDialog(app: App, slug: string, status: Status, text: string): Promise<string> {
  const id = `20261121-201100-${slug}`;
  await app.json("POST", `file/dialog-${id}-${status}.md`, { content: text });
  return id;
}
