import { exportProject } from "../api/calls.ts";
import type { Command } from "./commands.ts";

/** The ways out of the browser, as commands: a zip of the docs, of docs and dialogs, of everything. */
export function exportCommands(failed: (message: string) => void): Command[] {
  const row = (scope: "docs" | "dialogs" | "all", label: string): Command => ({ label, run: () => void download(scope, failed) });
  return [row("docs", "Export the docs"), row("dialogs", "Export docs and dialogs"), row("all", "Export everything")];
}

async function download(scope: "docs" | "dialogs" | "all", failed: (message: string) => void) {
  const answer = await exportProject(scope);
  if (!answer.ok) return failed(`The project could not be exported: ${answer.message}`);
  const url = URL.createObjectURL(answer.value);
  const link = document.createElement("a");
  link.href = url;
  link.download = `vibey-${scope}-${new Date().toISOString().slice(0, 10)}.zip`;
  link.click();
  // The browser reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
