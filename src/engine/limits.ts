/** Every limit of the engine, with its unit. What bit is named in the result that it cut. */
export const limits = {
  /** Milliseconds a command may run. */
  commandMs: 30_000,
  /** UTF-8 bytes a command may print, each of stdout and stderr. */
  commandOutputBytes: 1_000_000,
  /** Tokens a response may have. */
  responseTokens: 64_000,
  /** UTF-16 units of one tool result that go to a provider; the rest is cut in the middle, on the wire only. */
  resultOnWire: 100_000,
  /** UTF-16 units of a prompt. */
  prompt: 2_000_000,
  /** Bytes of a file written through the router or a tool. */
  fileBytes: 64_000_000,
  /** Milliseconds without a byte after which a stream counts as stalled. */
  streamIdleMs: 90_000,
  /** Milliseconds between two stores of streamed text, for all streams together. */
  flushMs: 100,
  /** Requests to the provider in one turn before the human is asked. */
  requestsPerTurn: 100,
} as const;
