import type { KnownProject } from "../../protocol/index.ts";
import { json } from "../model/api/calls.ts";
import type { Command } from "../ui/commands.ts";
import { currentProject } from "../model/current-project.ts";
import { addFound, currentName, openProject, projects } from "./projects.ts";
import * as t from "../texts/projects.ts";

/** Commands that open the other projects. */
function otherProjects(): Command[] {
  const here = currentProject();
  return projects()
    .filter(({ id }) => id !== here)
    .map(({ id, name }) => ({ label: t.goTo(name), run: () => openProject(id) }));
}

/**
 * Calls `tell` with the project's name, if there are other projects, and the commands that open those: for the current list, and again if the engine
 * knows more projects.
 */
export async function tellOtherProjects(tell: (name: string | null, others: Command[]) => void): Promise<void> {
  tellNow(tell);
  const found = await json<KnownProject[]>("projects");
  if (found.ok && addFound(found.value)) tellNow(tell);
}

export function tellNow(tell: (name: string | null, others: Command[]) => void): void {
  const others = otherProjects();
  tell(others.length > 0 ? currentName() : null, others);
}
