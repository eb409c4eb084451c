/** A server's text as one line of at most `max` characters. Each run of white space and control characters becomes one space. */
export function oneLine(said: string, max = 300): string {
  // oxlint-disable-next-line no-control-regex
  const line = said.replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/\p{Surrogate}$/u, "")}…`;
}
