/** Ends an npm command at once, with exit code 1 by default. It is thrown because it ends a whole call chain; only `command.ts` catches it. */
export class NpmError extends Error {
  override readonly name = "NpmError";
  /** The code that npm prints after `npm error code`; null if there is none. */
  readonly code: string | null;
  /** The lines that follow `npm error`. */
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

/** Reports a feature that npm has and this npm lacks: a plain message, never a success. */
export function absent(what: string): never {
  throw new NpmError(null, what);
}
