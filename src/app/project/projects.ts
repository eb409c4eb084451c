import type { KnownProject } from "../../protocol/index.ts";
import { currentKey, currentProject } from "../model/current-project.ts";
import { keep, kept } from "../ui/keep.ts";
import * as t from "../texts/projects.ts";

/** The first project exists from the start. Every other project was created from a zip and has an id and a name. */
export interface ProjectName {
  readonly id: string;
  readonly name: string;
}

const known = "vibey projects";

const first: ProjectName = { id: "", name: t.first };

const keepList = (list: readonly ProjectName[]) => keep(known, JSON.stringify(list));

/**
 * All projects in this browser, the first one first. If the list could not be stored, it lasts as long as the page; after that, the engine reports
 * which projects exist.
 */
export function projects(): ProjectName[] {
  const listed = parse(kept(known));
  return [listed.find(({ id }) => id === first.id) ?? first, ...listed.filter(({ id }) => id !== first.id)];
}

/** The name of this tab's project. */
export const currentName = (): string => projects().find(({ id }) => id === currentProject())?.name ?? first.name;

export function renameProject(id: string, name: string): void {
  keepList(projects().map((project) => (project.id === id ? { id, name } : project)));
}

/** Removes the project from the list, and everything that this page has stored for it: unsaved drafts, and notes on its storage. */
export function forgetProject(id: string): void {
  keepList(projects().filter((project) => project.id !== id));
  for (const key of Object.keys(localStorage)) if (id !== first.id && key.includes(id)) localStorage.removeItem(key);
}

export function addProject(project: ProjectName): void {
  const others = projects().filter(({ id }) => id !== project.id);
  keepList([...others, project]);
}

/**
 * Adds projects that the engine knows but the list lacks: the list may have been lost, or the page that created a project was closed before it could
 * store its name. Returns whether there were any.
 */
export function addFound(found: readonly KnownProject[]): boolean {
  const listed = new Set(projects().map(({ id }) => id));
  const missing = found.filter(({ id }) => !listed.has(id));
  for (const { id, name } of missing) addProject({ id, name: name ?? t.foundAgain(id.slice(0, 4)) });
  return missing.length > 0;
}

/** Opens another project in this tab. The page reloads. `route`: what to show; "": the project's first page. */
export function openProject(id: string, route = ""): void {
  sessionStorage.setItem(currentKey, id);
  // If there is no room for it, a new tab opens the previous project.
  keep(currentKey, id);
  history.replaceState(null, "", location.pathname + location.search + route);
  location.reload();
}

function parse(json: string | null): ProjectName[] {
  try {
    const value: unknown = JSON.parse(json ?? "[]");
    return Array.isArray(value) ? value.filter(isProject) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isProject(value: unknown): value is ProjectName {
  if (typeof value !== "object" || value === null || !("id" in value) || !("name" in value)) return false;
  return typeof value.id === "string" && /^(?:[a-z0-9]{12})?$/.test(value.id) && typeof value.name === "string";
}
