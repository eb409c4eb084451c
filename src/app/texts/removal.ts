export const brand = "vibey";

export const offer = "Remove everything from this browser…";
export const what =
  "Every project goes, with its docs, deed, dialogs, history and second copy; so do remembered keys, settings and what was typed and not saved. Only a zip that you exported brings a project back: if you may want one again, close this and export everything in it first.";
export const sure = "I want nothing of Vibey to stay here.";
export const removeAll = "Remove everything for good";

export const removing = "Removing everything…";
export const waitsForTabs = "Vibey is open in another tab. Close it, and this goes on.";
export const done = "Nothing of Vibey is left in this browser";
export const doneWords =
  "Projects, keys, settings and copies are gone. Vibey opens again at this address whenever you like, as on the first day.";
export const begin = "Begin anew";
export const failed = "Not everything could be removed";
export const failedWords = "Nothing was begun anew: until all of it is gone, Vibey goes on removing when it is opened.";
export const tryAgain = "Try again";
