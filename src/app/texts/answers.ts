export const noAnswer = (why: string) => `The engine did not answer (${why}).`;
/** `text`: what HTTP calls that status; it may be empty. */
export const answered = (status: number, text: string) => `The engine answered ${status} ${text}`.trim();
