export const brand = "vibey";

export const offer = "Remove everything from this browser…";
export const what =
  "Every project goes, with its docs, deed, dialogs, history and second copy; so do remembered keys, settings and unsaved text. Only a zip that you exported brings a project back: if you may want one again, close this and export everything in it first.";
export const sure = "I want nothing of Vibey to stay here.";
export const removeAll = "Remove everything for good";
export const notBegun = (why: string) => `Nothing was removed: the browser could not note it (${why}).`;

export const removing = "Removing everything…";
export const oneMoment = "One moment…";
export const waitsForTabs = "Vibey is open in another tab. Close it, and this goes on. Nothing was removed so far.";
export const blocked = "Another tab of Vibey has a part of it open. Close that tab, and this goes on.";
export const keepEverything = "Keep everything";
export const askedElsewhere = "In another tab you asked Vibey to remove everything from this browser. It waits until this tab is closed.";

export const done = "Nothing of Vibey is left in this browser";
export const doneWords =
  "Projects, keys, settings and copies are gone. A passkey stays in your password manager, and what you allowed this site in the browser's settings. Vibey opens again at this address whenever you like, as on the first day.";
export const begin = "Begin anew";

export const failed = "Not everything could be removed";
export const privateFiles = "Private files";
export const serviceWorker = "The service worker";
export const keptFiles = "Kept files of the app";
export const browser = "The browser";
export const stays = (name: string, why: string) => `${name}: ${why}`;
export const failedWords =
  "Closing the browser and opening it again may help. Until all of it is gone, Vibey goes on removing when it is opened.";
export const tryAgain = "Try again";
export const keepRest = "Keep what is left";
export const pageMissing = (why: string) =>
  `Nothing was removed: the page that does it could not be loaded (${why}). Once Vibey is online, ask for it again in Settings.`;
