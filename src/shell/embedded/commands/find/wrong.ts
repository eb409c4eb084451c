/** A command line of `find` that can't be run; its message is printed. */
export class Wrong extends Error {}
