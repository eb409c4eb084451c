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
  /** Milliseconds that a server of the human's own may take to its first byte: a local model reads a long prompt for minutes. */
  firstByteMs: 600_000,
  /** Tries of one provider request, the first included. */
  requestTries: 4,
  /** Milliseconds before the second try when the server names no time; doubled for each further one. */
  retryFirstMs: 1_000,
  /** Milliseconds that such a wait never exceeds. */
  retryCapMs: 30_000,
  /** Milliseconds up to which a `retry-after` is waited for; a longer one ends the turn and is told to the human. */
  retryAfterMs: 300_000,
  /** Milliseconds between two stores of streamed text, for all streams together. */
  flushMs: 100,
  /** Requests to the provider in one turn before the human is asked. */
  requestsPerTurn: 100,
} as const;
