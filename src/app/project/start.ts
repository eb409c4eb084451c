import type { KnownProject } from "../../engine/api.ts";
import { json } from "../api/calls.ts";
import type { Command } from "../shell/commands.ts";
import { currentProject } from "../shell/current-project.ts";
import { addFound, currentName, openProject, projects } from "./projects.ts";
import * as t from "../texts/projects.ts";

/** The ways to the other projects, as commands. */
function otherProjects(): Command[] {
  const here = currentProject();
  return projects()
    .filter(({ id }) => id !== here)
    .map(({ id, name }) => ({ label: t.goTo(name), run: () => openProject(id) }));
}

/** Calls `tell` with the project's name, where there are others, and the ways to them: as the list is now, and again when the engine knows of more. */
export async function tellOtherProjects(tell: (name: string | null, others: Command[]) => void): Promise<void> {
  tellNow(tell);
  const found = await json<KnownProject[]>("projects");
  if (found.ok && addFound(found.value)) tellNow(tell);
}

export function tellNow(tell: (name: string | null, others: Command[]) => void): void {
  const others = otherProjects();
  tell(others.length > 0 ? currentName() : null, others);
}

/**
 * Calls `take` with files that are dropped anywhere on the page, but where somebody else takes them: a browser would leave the page for
 * them. Returns the way to stop.
 */
export function takeDrops(take: (files: readonly File[]) => void): () => void {
  const over = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };
  const drop = (event: DragEvent) => {
    const files = Array.from(event.dataTransfer?.files ?? []);
    if (files.length === 0 || event.defaultPrevented) return;
    event.preventDefault();
    take(files);
  };
  addEventListener("dragover", over);
  addEventListener("drop", drop);
  return () => {
    removeEventListener("dragover", over);
    removeEventListener("drop", drop);
  };
}
