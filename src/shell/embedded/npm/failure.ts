/** Ends an npm command at once with exit code 1, unless it says otherwise. Thrown because it ends a whole call chain; `command.ts` alone catches it. */
export class NpmError extends Error {
  override readonly name = "NpmError";
  /** As npm prints it after `npm error code`; null: there is none. */
  readonly code: string | null;
  /** What follows `npm error`, line by line. */
  readonly lines: readonly string[];
  readonly exitCode: number;

  constructor(code: string | null, lines: readonly string[] | string, exitCode = 1) {
    const all = typeof lines === "string" ? lines.split("\n") : lines;
    super(all.join("\n"));
    this.code = code;
    this.lines = all;
    this.exitCode = exitCode;
  }
}

export function errorText({ code, lines }: NpmError): string {
  const head = code === null ? "" : `npm error code ${code}\n`;
  return head + lines.map((line) => `npm error${line === "" ? "" : ` ${line}`}\n`).join("");
}

/** For what npm can and this npm can't: a plain answer, never a success. */
export function absent(what: string): never {
  throw new NpmError(null, what);
}
