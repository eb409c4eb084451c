/** A text after a label. Its other lines are indented, so that it can't imitate a label. */
export const labelled = (label: string, text: string): string =>
  `[${label}]: ${text.replaceAll(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, "\n  ")}`;
