/** The start of every agent key. */
export const keyStart = "vak_";
