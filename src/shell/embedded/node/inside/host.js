// The one function that leads out; everything else here is built on it. Programs must not find it.
const call = globalThis.vibeyHost;
delete globalThis.vibeyHost;

// The package that prints values looks at it when it is loaded; globals.js takes it away again.
if (!("Atomics" in globalThis)) globalThis.Atomics = { absent: true };

/** Asks the outside. Answers are texts, numbers, bytes and null; objects come as JSON. */
export const host = (...args) => call(...args);
