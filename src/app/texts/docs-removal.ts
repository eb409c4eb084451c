export const deleted = (file: string) => `${file} is deleted.`;
export const undo = "Undo";
export const notDeleted = (file: string, why: string) => `${file} was not deleted: ${why}`;
export const notBroughtBack = (file: string, why: string) => `${file} could not be brought back: ${why}`;
