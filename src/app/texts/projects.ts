/** The name of the project that exists from the start. */
export const first = "My first project";
/** `id`: the beginning of the project's id. */
export const foundAgain = (id: string) => `Recovered project (${id})`;
export const goTo = (name: string) => `Go to “${name}”`;
