import { strToU8, zipSync } from "fflate";
import { addProject, openProject } from "./projects.ts";
import { take } from "./zip.ts";
import * as t from "../texts/project.ts";

/** The same files make the same zip: an entry's time is not looked at. */
const day = new Date(2026, 0, 1);

/**
 * Makes a project of these files, by their names in `vibey/`, and opens it: the page starts again. Answers why it could not. It goes the
 * way of every zip, so that a project is made whole or not at all.
 */
export async function makeProject(name: string, docs: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string | null> {
  const entries = Object.entries(docs).map(([file, text]) => [`vibey/${file}`, strToU8(text)] as const);
  const zip = new File([zipSync(Object.fromEntries(entries), { mtime: day })], "project.zip");
  const taken = await take(zip, { into: "new", choice: "mine", accept: false, seen: "", name }, "", signal);
  if (!taken.ok) return taken.message;
  if (taken.value.project === null) return t.noPlace;
  addProject({ id: taken.value.project, name });
  openProject(taken.value.project);
  return null;
}
