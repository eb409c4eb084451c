/** Written into a message; `file` is its name as code. */
export const isEmpty = (file: string) => `${file} is empty.`;
export const isInProject = (file: string) => `${file} was added to the project.`;
export const notRead = (file: string, why: string) => `Couldn't read ${file} (${why}).`;
export const notTaken = (file: string, why: string) => `Couldn't attach ${file}: ${why}`;
