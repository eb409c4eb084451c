export const noAnswer = (why: string) => `Vibey didn't respond (${why}).`;
/** `text`: what HTTP calls that status; it may be empty. */
export const answered = (status: number, text: string) => `Unexpected response: ${status} ${text}`.trim();
