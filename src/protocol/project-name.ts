/** The name of the first project's worker. The name of another project's worker has the project's id after it. */
const workerName = "vibey engine";

const id = /^[a-z0-9]{12}$/;

export const isProjectId = (given: string): boolean => id.test(given);

/** The id of the project that a worker of this name serves. Empty for the first project. */
export function projectOf(worker: string): string {
  const given = worker.slice(workerName.length + 1);
  return id.test(given) ? given : "";
}

/** The name of the project's databases, locks and channels. */
export function projectName(project: string): string {
  return project === "" ? "vibey-project" : `vibey-project-${project}`;
}

/** The lock of the one worker that runs a project's engine, held while any tab has the project open. */
export const engineLock = (name: string): string => `${name}-engine`;
