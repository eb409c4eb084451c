import { currentKey } from "../shell/current-project.ts";

/** The first project is there from the start; each other one was made of a zip and has an id and a name. */
export interface ProjectName {
  readonly id: string;
  readonly name: string;
}

const known = "vibey projects";

const first: ProjectName = { id: "", name: "First project" };

/** All that this browser has, the first one first. */
export function projects(): ProjectName[] {
  return [first, ...parse(localStorage.getItem(known))];
}

export function addProject(project: ProjectName): void {
  const others = projects().filter(({ id }) => id !== first.id && id !== project.id);
  localStorage.setItem(known, JSON.stringify([...others, project]));
}

/** Shows another project in this tab. The page starts anew. */
export function openProject(id: string): void {
  sessionStorage.setItem(currentKey, id);
  localStorage.setItem(currentKey, id);
  history.replaceState(null, "", location.pathname + location.search);
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
  return typeof value.id === "string" && /^[a-z0-9]{12}$/.test(value.id) && typeof value.name === "string";
}
