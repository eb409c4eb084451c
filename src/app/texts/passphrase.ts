import { counted } from "./counted.ts";

export const atLeast = (characters: number) => `At least ${characters} characters. Four or five unrelated words work well.`;
export const tooShort = (more: number) => `${counted(more, "more character")} needed.`;
export const tooMuchSame = "Too repetitive. Use more different characters.";
export const enough = "Good enough if no one can guess it. Longer is safer: anyone who copies the data can try many guesses per second.";
export const longEnough = "Long enough, unless it's a well-known phrase or quotation.";
export const notTheSame = "The passphrases don't match. Type it again.";

export const soFar = "Current passphrase";
export const emptyForPasskey = "Leave empty to use the passkey";
export const newOne = "New passphrase";
export const again = "Repeat passphrase";
export const encrypting = "Encrypting…";
export const passkeyInstead = "Use a passkey instead";
export const cancel = "Cancel";
