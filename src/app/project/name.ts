import { projects } from "./projects.ts";
import { number } from "../ui/format.ts";
import * as t from "../texts/project.ts";

/** UTF-16 units of a project's name. */
const longest = 60;

/** What is wrong with a name for a project; null: nothing is. */
export function projectNameProblem(name: string): string | null {
  if (name === "") return t.nameMissing;
  if (name.length > longest) return t.nameTooLong(number(name.length), number(longest));
  return projects().some((project) => project.name === name) ? t.nameTaken : null;
}
