/** Ends a command at once, with git's message on stderr. It is thrown because it ends a whole call chain; only `git.ts` catches it. */
export class Stop extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, stderr: string) {
    super(stderr);
    this.name = "Stop";
    this.exitCode = exitCode;
  }
}

export function fatal(message: string): never {
  throw new Stop(128, `fatal: ${message}\n`);
}

export function failed(message: string, exitCode = 1): never {
  throw new Stop(exitCode, `error: ${message}\n`);
}

/** Reports a feature that git has and this git lacks: a plain message, never a success. */
export function absent(what: string, exitCode = 129): never {
  throw new Stop(exitCode, `error: Vibey's git has no ${what}\n`);
}
