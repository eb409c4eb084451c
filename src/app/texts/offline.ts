/** What is said of the service worker, with which Vibey works offline. */

export const filesNotFetched = "The service worker could not fetch its files.";
