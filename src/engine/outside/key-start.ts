/** What every agent key begins with. */
export const keyStart = "vak_";
