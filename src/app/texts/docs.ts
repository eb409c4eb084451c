export const filesList = "Files";
export const searchFiles = "Search files";
export const searchHint = "Search";
export const newDoc = "New doc";
export const newDocName = "Doc name";
export const noFiles = "No files yet.";
export const stillSearching = "Searching…";
export const nothingFound = "No results in names or contents.";
export const textsNotSearched = (why: string) => `Can't search file contents right now: ${why}`;

export const groupDocs = "Docs";
export const groupAgents = "Agents";
export const groupDeed = "Deed";
export const groupAtWork = "Running dialogs";
export const groupWaiting = "Waiting dialogs";
export const groupDone = "Done dialogs";
export const groupOthers = "Other files";
export const groupInText = "In contents";
export const unsavedMark = "unsaved";

export const notDeleted = (file: string, why: string) => `Couldn't delete ${file}: ${why}`;

export const chooseFile = "Select a file, or create a doc.";
export const opening = (file: string) => `Opening ${file}…`;
export const notRead = (why: string) => `Couldn't read this file: ${why}`;
export const writeHere = "Start writing…";
export const editorMissing = (why: string) => `Couldn't load the editor (${why}). Keep typing to try again.`;

export const saving = "Saving…";
export const unsaved = "Unsaved changes";
export const isSaved = "Saved";
export const save = "Save";
export const discard = "Discard";
export const history = "History";

export const deletedMeanwhile = "This file was deleted while you were editing. Your text is kept here. Save to create the file again.";
export const mergedOthers = "Someone else changed other lines of this file. Their changes are merged in.";
export const notSaved = (why: string) => `Couldn't save: ${why} Your text is kept here.`;
export const notSavedOverOthers = "Couldn't save: someone else changed or deleted this file. Your text is kept here.";
export const savedNow = "Saved.";
export const discarded = "Discarded unsaved changes.";
