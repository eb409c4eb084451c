/** The limits that the engine needs before anything else of it is loaded. */
export const firstLimits = {
  /** Files, and bytes of them, that are read or stored at once for such a command: nothing else waits for longer than for one slice. */
  sliceFiles: 100,
  sliceBytes: 4_000_000,
  /** Bytes of a file written through the router or a tool. */
  fileBytes: 64_000_000,
  /** Milliseconds between two stores of streamed text, for all streams together. */
  flushMs: 100,
  /** Bytes of a file up to which its text is kept when it is replaced, to show an agent what it missed; gone with the engine. */
  pastTextBytes: 256_000,
  /** UTF-16 units of all such texts together; the oldest go first. */
  pastTexts: 8_000_000,
  /** Milliseconds after the start of the engine at which the history is opened, unless it is asked for. */
  historyStartMs: 2_000,
} as const;
