import type { Command } from "../ui/commands.ts";
import * as t from "../texts/frame.ts";

/** A task for the project as a whole. `file`: the zip that was dropped; null: the user still has to choose one. */
export type ProjectTask =
  | { readonly kind: "export"; readonly scope: "docs" | "dialogs" | "all" }
  | { readonly kind: "import"; readonly file: File | null }
  | { readonly kind: "new" }
  | { readonly kind: "projects" }
  | { readonly kind: "guide" };

/** The commands that get data in and out of the browser: a zip of the docs, of docs and dialogs, or of everything; a zip to open; other projects. */
export function projectCommands(begin: (task: ProjectTask) => void): Command[] {
  const out = (scope: "docs" | "dialogs" | "all", label: string): Command => ({ label, run: () => begin({ kind: "export", scope }) });
  return [
    out("docs", t.exportDocs),
    out("dialogs", t.exportDialogs),
    out("all", t.exportAll),
    { label: t.openZip, run: () => begin({ kind: "import", file: null }) },
    { label: t.newProject, run: () => begin({ kind: "new" }) },
    { label: t.allProjects, run: () => begin({ kind: "projects" }) },
    { label: t.openGuide, run: () => begin({ kind: "guide" }) },
  ];
}
