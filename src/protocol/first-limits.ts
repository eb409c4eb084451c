/** The limits that the engine needs before it has loaded its other modules. */
export const firstLimits = {
  /** Files, and their bytes, that a command with many files reads or stores at once. Others never wait for more than one such slice. */
  sliceFiles: 100,
  sliceBytes: 4_000_000,
  /** Bytes of a file written through the router or a tool. */
  fileBytes: 64_000_000,
  /** Milliseconds between two stores of streamed text, for all streams together. */
  flushMs: 100,
  /** Bytes up to which the text of a replaced file is kept in memory, to show an agent what it missed. */
  pastTextBytes: 256_000,
  /** UTF-16 code units of all such texts together. The oldest are dropped first. */
  pastTexts: 8_000_000,
  /** Milliseconds after the engine's start at which it opens the history, unless the history is requested earlier. */
  historyStartMs: 2_000,
} as const;
