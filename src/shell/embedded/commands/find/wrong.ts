/** An invalid command line of `find`; its message is printed. */
export class Wrong extends Error {}
