/** What ends pip: its message is what pip prints after `ERROR: `, a line each. */
export class PipError extends Error {
  readonly lines: readonly string[];
  constructor(...lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}
