export const deleted = (file: string) => `Deleted ${file}.`;
export const undo = "Undo";
export const notDeleted = (file: string, why: string) => `Couldn't delete ${file}: ${why}`;
export const notBroughtBack = (file: string, why: string) => `Couldn't restore ${file}: ${why}`;
