export const title = "Unlock your keys";
export const needed =
  "The agent needs a key you saved on this device. It stays unlocked in all tabs until you lock it or close the last one.";
export const notRead = (why: string) => `Couldn't read the saved keys: ${why}`;
export const unlock = "Unlock";
export const unlocking = "Unlocking…";
export const passphrase = "Passphrase";
export const usePasskey = "Use passkey";
export const notNow = "Not now";

/** The name of the passkey in the system's storage. */
export const passkeyName = "Vibey: provider keys";
export const passkeyWithoutSecret = "This passkey can't be used for encryption. Try another one, or use a passphrase.";
export const noPasskey = "The browser didn't return a passkey.";
export const passkeyNotUsed = "The passkey was canceled, timed out, or isn't on this device.";
export const passkeyImpossible = (why: string) => `This browser can't use passkeys here (${why}).`;
