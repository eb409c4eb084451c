/** An error that ends pip. pip prints its message after `ERROR: `, one line each. */
export class PipError extends Error {
  readonly lines: readonly string[];
  constructor(...lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}
