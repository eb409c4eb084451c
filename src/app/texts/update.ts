export const stillClosing =
  "The browser is still closing the previous version. This can take up to 30 seconds; closing other Vibey tabs speeds it up.";
export const readyWhenDone = "Update available. Install it when your agents are done.";
export const reloadsWhenDone = "Vibey was updated in another tab. This tab reloads when its agents are done.";
export const reloadNow = "Reload now";
export const ready = "Update available.";
export const take = "Update";
export const taking = "Updating…";
export const later = "Later";
