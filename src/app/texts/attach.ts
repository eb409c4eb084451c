/** Written into a message; `file` is its name as code. */
export const isEmpty = (file: string) => `${file} is empty.`;
export const isInProject = (file: string) => `The file ${file} is in the project.`;
export const notRead = (file: string, why: string) => `${file} could not be read (${why}).`;
export const notTaken = (file: string, why: string) => `${file} was not taken: ${why}`;
