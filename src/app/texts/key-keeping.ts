export const whereKept = "Where the key is kept";
export const typedOver =
  "The key that you typed is here for this session. Another one is remembered and locked; once you unlock it, the new one takes its place.";
/** `reloads`: this browser carries the key over a reload. */
export const inMemory = (reloads: boolean) =>
  reloads
    ? "Kept in memory until the last tab of Vibey is closed, or the browser ends it. A reload keeps the key. Vibey never writes it to disk."
    : "Kept in memory until the last tab of Vibey is closed or reloaded, or the browser ends it. Vibey never writes it to disk.";
export const locked = "The key is remembered on this device, and locked. You are asked to unlock it when an agent needs it.";
export const unlocked = "The key is remembered on this device, and unlocked until you lock it or close the last tab of Vibey.";
export const unprotected =
  "Saved on this device without a passphrase. Anyone who can use this browser profile, or copies its files, can use the key.";
export const thisKeyDamaged = "this key is damaged";
export const damaged = (why: string) => `What is remembered can't be read: ${why}. Forget it, and enter the key anew.`;
export const damagedBefore = (why: string) =>
  `What was remembered before can't be read: ${why}. Forget it, and a key can be remembered again.`;
/** `another`: there is one for the address above, too. */
export const elsewhere = (addresses: readonly string[], another: boolean) =>
  `${another ? "Another remembered key" : "A remembered key"} is for ${addresses.join(", ")} only, and is not sent to the address above.`;

export const rememberHere = "Remember on this device";
export const remember = "Remember";
export const rememberWhat =
  "The key is stored encrypted, in this browser only. That protects it from whoever gets hold of the device or its data while it is locked, and not from somebody who uses the device while it is unlocked. A forgotten passphrase can't be recovered.";
export const rememberPlainly =
  "The key is saved in this browser profile and is there when you come back. Anyone who can use this profile, or copies its files, can use the key. A passphrase or a passkey protects it.";
export const protect = "Use a passphrase or passkey…";
export const addProtection = "Add a passphrase or passkey";
export const add = "Add";
export const cancel = "Cancel";
export const lockNow = "Lock now";
export const changeUnlocking = "Change how it is unlocked";
export const change = "Change";
export const changeWhat =
  "For all keys that are remembered here. A passphrase and a passkey can stand side by side; a new one replaces that of its kind.";
export const forget = "Forget";
export const forgetThis = "Forget the key";
export const forgetWhat = "It is erased from memory and from this device. You will have to enter it again.";
export const forgetAllWhat = "All keys are forgotten, in memory and on this device. You will have to enter them again.";
export const keep = "Keep it";
