export const whereKept = "Key storage";
export const notRead = (why: string) => `Couldn't check how the key is saved: ${why}`;
export const typedOver =
  "The key you entered is used for this session. A different one is saved and locked; when you unlock it, the new key replaces it.";
/** `reloads`: this browser carries the key over a reload. */
export const inMemory = (reloads: boolean) =>
  reloads
    ? "Kept in memory until you close the last Vibey tab or the browser closes it. A reload keeps the key. Vibey never writes it to disk."
    : "Kept in memory until you close or reload the last Vibey tab or the browser closes it. Vibey never writes it to disk.";
export const locked = "Saved on this device and locked. You'll be asked to unlock it when an agent needs it.";
export const unlocked = "Saved on this device and unlocked until you lock it or close the last Vibey tab.";
export const unprotected =
  "Saved on this device without a passphrase. Anyone who can use this browser profile, or copies its files, can use the key.";
export const thisKeyDamaged = "this key is damaged";
export const damaged = (why: string) => `Couldn't read the saved key: ${why}. Forget it, then enter it again.`;
export const damagedBefore = (why: string) => `Couldn't read the previously saved key: ${why}. Forget it to save a new one.`;
/** `another`: there is also one for the address above. */
export const elsewhere = (addresses: readonly string[], another: boolean) =>
  `${another ? "Another saved key" : "A saved key"} works only with ${addresses.join(", ")} and is never sent to the address above.`;

export const rememberHere = "Save key on this device";
export const remember = "Save key";
export const rememberWhat =
  "The key is encrypted and stored in this browser only. While it's locked, someone who gets your device or its data can't use it; while it's unlocked, anyone using your browser can. A forgotten passphrase can't be recovered.";
export const rememberPlainly =
  "The key is saved in this browser profile and is there when you come back. Anyone who can use this profile, or copies its files, can use the key. A passphrase or a passkey protects it.";
export const protect = "Use a passphrase or passkey…";
export const addProtection = "Add a passphrase or passkey";
export const add = "Add";
export const cancel = "Cancel";
export const lockNow = "Lock now";
export const changeUnlocking = "Change passphrase or passkey";
export const change = "Change";
export const changeWhat =
  "Applies to every key saved here. You can have one passphrase and one passkey; a new one replaces the old one of the same kind.";
export const forget = "Forget";
export const forgetThis = "Forget key";
export const forgetWhat = "Deletes the key from memory and from this device. You'll need to enter it again.";
export const forgetAllWhat = "Deletes all keys from memory and from this device. You'll need to enter them again.";
export const keep = "Cancel";
