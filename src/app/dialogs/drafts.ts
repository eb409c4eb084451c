/** What the unsent text of a dialog is kept under. */
export const draftKey = (dialogId: string) => `dialog:${dialogId}`;
