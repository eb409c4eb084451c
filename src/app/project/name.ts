import { projects } from "./projects.ts";
import { number } from "../ui/format.ts";
import * as t from "../texts/project.ts";

/** The maximum length of a project's name, in UTF-16 units. */
const longest = 60;

/** What is wrong with a project's name; null: nothing. */
export function projectNameProblem(name: string): string | null {
  if (name === "") return t.nameMissing;
  if (name.length > longest) return t.nameTooLong(number(name.length), number(longest));
  return projects().some((project) => project.name === name) ? t.nameTaken : null;
}
