/** About the service worker, which makes Vibey work offline. */

export const filesNotFetched = "The service worker could not fetch its files.";
