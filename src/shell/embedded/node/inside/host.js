// The only function that leads out of the engine; everything else here is built on it. Programs must not find it.
const call = globalThis.vibeyHost;
delete globalThis.vibeyHost;

// The package that prints values checks for it when it loads; globals.js removes it afterwards.
if (!("Atomics" in globalThis)) globalThis.Atomics = { absent: true };

/** Calls the host. Answers are strings, numbers, bytes and null; objects come as JSON. */
export const host = (...args) => call(...args);
