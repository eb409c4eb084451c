/** Servers that commands started, not those of model providers. */
export const listens = (port: number) => `Server running on port ${port}.`;
export const open = "Open";
/** In the built-in shell, whose addresses agents and users know. */
export const started = "A command started a server.";
export const local = (number: number) => `localhost:${number}`;
export const openLocal = (number: number) => `Open localhost:${number}`;
export const ofDialog = "The dialog that started it";
export const since = (time: string) => `since ${time}`;
export const inForeground = "Ends with the command that started it. To end it now, stop the agent.";
export const title = "Servers";
export const port = (number: number) => `Port ${number}`;
export const openPort = (number: number) => `Open port ${number}`;
export const stop = "Stop";
export const stopPort = (number: number) => `Stop the server on port ${number}`;
export const unknownOwner = "Can't stop this server on its own: Vibey doesn't know which command started it.";
export const files = "Project pages";
export const pageOf = (number: number) => `Page on port ${number}`;
export const gone = (number: number) => `Nothing is running on port ${number} anymore.`;
export const elsewhere = "Running in the Vibey tab you opened first. If its page doesn't load here, look there.";
