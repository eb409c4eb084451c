/** The text behind a label that it can't imitate: its further lines are indented. */
export const labelled = (label: string, text: string): string =>
  `[${label}]: ${text.replaceAll(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, "\n  ")}`;
