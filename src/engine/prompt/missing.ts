/** The user message to send if the API requires one and the dialog has none. */
export const continuePrompt = "Continue.";
/** Comes before a dialog that begins with an assistant message. */
export const startMissing = "(The start of this dialog is missing.)";
/** Comes between call results and the user's next message, for servers that require an answer there. */
export const replyMissing = "(No reply to these results.)";
