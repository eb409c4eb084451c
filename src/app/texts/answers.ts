export const noAnswer = (why: string) => `Vibey didn't respond (${why}).`;
/** `text`: HTTP's reason phrase for the status; may be empty. */
export const answered = (status: number, text: string) => `Unexpected response: ${status} ${text}`.trim();
