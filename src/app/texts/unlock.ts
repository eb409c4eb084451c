export const title = "Unlock your keys";
export const needed =
  "The agent needs a key that you remembered on this device. It is unlocked for all tabs, until you lock it or close the last one.";
export const notRead = (why: string) => `What is remembered could not be read: ${why}`;
export const unlock = "Unlock";
export const unlocking = "Unlocking…";
export const passphrase = "Passphrase";
export const usePasskey = "Use the passkey";
export const notNow = "Not now";

/** What the passkey is called where the system keeps it. */
export const passkeyName = "Vibey: provider keys";
export const passkeyWithoutSecret = "This passkey can't encrypt. Try another one, or use a passphrase.";
export const noPasskey = "The browser gave no passkey.";
export const passkeyNotUsed = "No passkey was used: it was cancelled, took too long, or is not on this device.";
export const passkeyImpossible = (why: string) => `The browser can't use a passkey here (${why}).`;
