import agents from "./docs/doc-agents.md?raw";
import allowing from "./docs/doc-allowing.md?raw";
import commands from "./docs/doc-commands.md?raw";
import firstDialog from "./docs/doc-first-dialog.md?raw";
import keeping from "./docs/doc-keeping.md?raw";
import main from "./docs/doc-main.md?raw";
import models from "./docs/doc-models.md?raw";
import writing from "./docs/doc-writing.md?raw";
import { makeProject } from "../project/make.ts";
import { openProject, projects } from "../project/projects.ts";
import * as t from "../texts/guide.ts";

/** The guide's docs, by their names in `vibey/`. */
export const guideDocs: Readonly<Record<string, string>> = {
  "doc-main.md": main,
  "doc-first-dialog.md": firstDialog,
  "doc-allowing.md": allowing,
  "doc-writing.md": writing,
  "doc-agents.md": agents,
  "doc-models.md": models,
  "doc-commands.md": commands,
  "doc-keeping.md": keeping,
};

/**
 * Opens the guide: a project created when it is first opened, and the user's own from then on. Resolves to why it could not; otherwise the page
 * reloads.
 */
export async function openGuide(signal: AbortSignal): Promise<string | null> {
  const made = projects().find((project) => project.name === t.title);
  if (!made) return await makeProject(t.title, guideDocs, signal);
  openProject(made.id);
  return null;
}
