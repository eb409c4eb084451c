export const filesList = "Files";
export const searchFiles = "Search files";
export const searchHint = "Search";
export const newDoc = "New doc";
export const newDocName = "Name of the doc";
export const noFiles = "No files yet.";
export const stillSearching = "Looking…";
export const nothingFound = "Nothing has this in its name or its text.";
export const textsNotSearched = (why: string) => `The texts can't be searched for now: ${why}`;

export const groupDocs = "Docs";
export const groupDeed = "The deed";
export const groupAtWork = "Dialogs at work";
export const groupWaiting = "Dialogs that wait";
export const groupDone = "Dialogs that are done";
export const groupOthers = "Other files";
export const groupInText = "In the text";
export const unsavedMark = "unsaved";

export const notDeleted = (file: string, why: string) => `${file} was not deleted: ${why}`;

export const chooseFile = "Choose a file on the left, or write a new one.";
export const opening = (file: string) => `Opening ${file}…`;
export const notRead = (why: string) => `This file could not be read: ${why}`;
export const writeHere = "Write…";
export const editorMissing = (why: string) =>
  `The editor could not be loaded (${why}). You can write on; it is asked for again when you do.`;

export const saving = "Saving…";
export const unsaved = "Unsaved changes";
export const isSaved = "Saved";
export const save = "Save";
export const discard = "Discard";
export const history = "History";

export const deletedMeanwhile = "This file was deleted meanwhile. Your text is kept here; saving writes it as a new file.";
export const mergedOthers = "Somebody else changed other lines of this file; they are here too.";
export const notSaved = (why: string) => `Not saved: ${why} Your text is kept here.`;
export const notSavedOverOthers = "Not saved: somebody else changed or deleted this file meanwhile. Your text is kept here.";
export const savedNow = "Saved.";
export const discarded = "Unsaved changes discarded.";
