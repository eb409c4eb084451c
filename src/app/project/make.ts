import { strToU8, zipSync } from "fflate";
import { addProject, openProject } from "./projects.ts";
import { take } from "./zip.ts";
import * as t from "../texts/project.ts";

/** A fixed date, so that the same files give the same zip. The time of an entry is ignored. */
const day = new Date(2026, 0, 1);

/**
 * Creates a project from these files, by their names in `vibey/`, and opens it: the page reloads. Resolves to why it could not. It uses the import of
 * zips, so that a project is created completely or not at all.
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
