export const sender = "Vibey";
/** `doing`: what the dialog waits for, as in the list of dialogs. */
export const dialogWaits = (dialog: string, doing: string) => `${dialog}: ${doing}`;
