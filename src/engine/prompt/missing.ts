/** Stands where a wire wants a user message and the dialog has none. */
export const continuePrompt = "Continue.";
/** Stands before a dialog whose first message is the assistant's. */
export const startMissing = "(The start of this dialog is missing.)";
/** Stands between the results of calls and the user's next words, for servers that want an answer there. */
export const replyMissing = "(No reply to these results.)";
