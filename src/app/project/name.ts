import { projects } from "./projects.ts";

/** UTF-16 units of a project's name. */
const longest = 60;

/** What is wrong with a name for a project; null: nothing is. */
export function projectNameProblem(name: string): string | null {
  if (name === "") return "Give the project a name.";
  if (name.length > longest) return `The name has ${name.length} characters; ${longest} are the most.`;
  return projects().some((project) => project.name === name) ? "There is a project of that name already." : null;
}
