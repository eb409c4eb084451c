module.exports = { AbortController: globalThis.AbortController, AbortSignal: globalThis.AbortSignal };
