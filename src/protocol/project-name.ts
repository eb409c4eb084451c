/** What the worker of the first project is called; that of another one has the project's id behind it. */
const workerName = "vibey engine";

const id = /^[a-z0-9]{12}$/;

export const isProjectId = (given: string): boolean => id.test(given);

/** The id of the project that a worker of this name is for; "" for the first one. */
export function projectOf(worker: string): string {
  const given = worker.slice(workerName.length + 1);
  return id.test(given) ? given : "";
}

/** What the project's databases, locks and channels are called by. */
export function projectName(project: string): string {
  return project === "" ? "vibey-project" : `vibey-project-${project}`;
}

/** The lock that the one worker with a project's engine holds, as long as any tab has the project open. */
export const engineLock = (name: string): string => `${name}-engine`;
