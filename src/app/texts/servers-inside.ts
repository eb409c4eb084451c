/** Servers in the project's WebContainer, not those that agents are asked of. */
export const listens = (port: number) => `A server listens on port ${port}.`;
export const open = "Open";
export const title = "Servers";
export const port = (number: number) => `Port ${number}`;
export const openPort = (number: number) => `Open port ${number}`;
export const stop = "Stop";
export const stopPort = (number: number) => `Stop the server on port ${number}`;
export const unknownOwner = "It is not known which command it belongs to, so it can't be stopped alone.";
export const files = "The project's pages";
export const pageOf = (number: number) => `Page of the server on port ${number}`;
export const gone = (number: number) => `Nothing listens on port ${number} any more.`;
export const elsewhere = "It runs in another tab of Vibey, the one that was opened first. Should its page not show here, look there.";
