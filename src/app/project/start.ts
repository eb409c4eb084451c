import type { Command } from "../shell/commands.ts";
import { currentProject } from "../shell/current-project.ts";
import { openProject, projects } from "./projects.ts";

/** The ways to the other projects, as commands. */
export function otherProjects(): Command[] {
  const here = currentProject();
  return projects()
    .filter(({ id }) => id !== here)
    .map(({ id, name }) => ({ label: `Go to “${name}”`, run: () => openProject(id) }));
}

/** Calls `take` for a zip that is dropped anywhere on the page; whatever else is dropped is the page's as before. Returns the way to stop. */
export function takeDroppedZips(take: (file: File) => void): () => void {
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const file = Array.from(event.dataTransfer?.files ?? []).find(({ name }) => /\.zip$/i.test(name));
    if (file === undefined || event.defaultPrevented) return;
    event.preventDefault();
    take(file);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}
