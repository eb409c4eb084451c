import type { Command } from "./commands.ts";

/** What a person does with the project as a whole. `file`: the zip that was dropped; null: it is still to be chosen. */
export type ProjectTask =
  | { readonly kind: "export"; readonly scope: "docs" | "dialogs" | "all" }
  | { readonly kind: "import"; readonly file: File | null }
  | { readonly kind: "new" }
  | { readonly kind: "projects" }
  | { readonly kind: "guide" };

/** The ways in and out of the browser, as commands: a zip of the docs, of docs and dialogs, of everything; a zip to open; other projects. */
export function projectCommands(begin: (task: ProjectTask) => void): Command[] {
  const out = (scope: "docs" | "dialogs" | "all", label: string): Command => ({ label, run: () => begin({ kind: "export", scope }) });
  return [
    out("docs", "Export the docs"),
    out("dialogs", "Export docs and dialogs"),
    out("all", "Export everything"),
    { label: "Open a zip…", run: () => begin({ kind: "import", file: null }) },
    { label: "New project…", run: () => begin({ kind: "new" }) },
    { label: "All projects…", run: () => begin({ kind: "projects" }) },
    { label: "Open the guide", run: () => begin({ kind: "guide" }) },
  ];
}
