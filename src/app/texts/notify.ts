export const sender = "Vibey";
/** `doing`: what the dialog waits for, as its list says it. */
export const dialogWaits = (dialog: string, doing: string) => `${dialog}: ${doing}`;
