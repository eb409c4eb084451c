export const brand = "vibey";

export const offer = "Delete all data…";
export const what =
  "This deletes every project with its docs, deed, dialogs, history, and backup, plus saved keys, settings, and unsaved text. Only an exported zip can bring a project back. If you might need one, cancel and export it first.";
export const sure = "I understand that nothing will be kept in this browser.";
export const removeAll = "Delete everything permanently";
export const notBegun = (why: string) => `Nothing was deleted: the browser couldn't save the request (${why}).`;

export const removing = "Deleting everything…";
export const oneMoment = "Working…";
export const waitsForTabs = "Vibey is open in another tab. Close that tab to continue. Nothing has been deleted yet.";
export const blocked = "Another Vibey tab is using some of this data. Close that tab to continue.";
export const keepEverything = "Cancel and keep everything";
export const askedElsewhere = "You asked to delete all Vibey data in another tab. Close this tab to let it continue.";

export const done = "All Vibey data was deleted";
export const doneWords =
  "Projects, keys, settings, and backups are gone. Passkeys stay in your password manager, and site permissions stay in your browser's settings. You can use Vibey again here anytime.";
export const begin = "Start over";

export const failed = "Some data couldn't be deleted";
export const privateFiles = "Private files";
export const serviceWorker = "The service worker";
export const keptFiles = "Cached app files";
export const browser = "The browser";
export const stays = (name: string, why: string) => `${name}: ${why}`;
export const failedWords = "Try closing the browser and opening it again. Vibey keeps deleting the rest each time it opens.";
export const tryAgain = "Try again";
export const keepRest = "Keep the rest";
export const pageMissing = (why: string) =>
  `Nothing was deleted: the page that does it couldn't load (${why}). Try again in Settings when you're online.`;
