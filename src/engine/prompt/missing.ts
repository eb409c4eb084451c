/** Stands where a wire wants a user message and the dialog has none. */
export const continuePrompt = "Continue.";
/** Stands before a dialog whose first message is the assistant's. */
export const startMissing = "(The start of this dialog is missing.)";
