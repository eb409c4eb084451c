export const stillClosing =
  "The browser is still closing the older version, which can take half a minute. Closing Vibey's other tabs makes it faster.";
export const readyWhenDone = "A new version is ready. It can be taken when the agents are done.";
export const ready = "A new version is ready.";
export const take = "Update";
export const taking = "Updating …";
export const later = "Later";
