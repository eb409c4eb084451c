export const atLeast = (characters: number) =>
  `At least ${characters} characters. Four or five words that have nothing to do with each other are good.`;
export const tooShort = (more: number) => `Too short: ${more} more to go.`;
export const tooMuchSame = "Too much of the same: use more different characters.";
export const enough = "Enough, if nobody can guess it. Longer is safer: whoever copies it can try many a second.";
export const longEnough = "Long enough, unless it is a known phrase or a quotation.";
export const notTheSame = "The two are not the same. Type it again.";

export const soFar = "Passphrase so far";
export const emptyForPasskey = "Leave it empty to use the passkey";
export const newOne = "New passphrase";
export const again = "The same again";
export const encrypting = "Encrypting…";
export const passkeyInstead = "Use a passkey instead";
export const cancel = "Cancel";
