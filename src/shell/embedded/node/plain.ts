/** A value that passes between a program inside and us, whichever engine runs it. Objects pass as JSON. */
export type Plain = string | number | boolean | Uint8Array | null;

/** Functions that the runtime inside can call, by name. Errors thrown here are thrown there. */
export type Operations = Readonly<Record<string, (...args: Plain[]) => Plain | void>>;

/** The functions of the runtime inside, by name. */
export interface Inside {
  call(name: string, ...args: Plain[]): Plain;
}

/** An error to be thrown inside. */
export class InsideError extends Error {
  readonly kind: "Error" | "TypeError" | "SyntaxError" | "RangeError";
  readonly code: string;
  constructor(code: string, message: string, kind: InsideError["kind"] = "Error") {
    super(message);
    this.code = code;
    this.kind = kind;
  }
}

export function text(value: Plain | undefined): string {
  if (typeof value !== "string") throw new InsideError("ERR_INTERNAL_ASSERTION", `a text was expected, not ${typeof value}`);
  return value;
}

export function bytes(value: Plain | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new InsideError("ERR_INTERNAL_ASSERTION", `bytes were expected, not ${typeof value}`);
  return value;
}

/** Copies the bytes to their own memory. A program's Buffer has its own `slice`, which does not copy. */
export const copyOf = (value: Plain | undefined): Uint8Array<ArrayBuffer> => new Uint8Array(bytes(value));

export function number(value: Plain | undefined): number {
  if (typeof value !== "number") throw new InsideError("ERR_INTERNAL_ASSERTION", `a number was expected, not ${typeof value}`);
  return value;
}
