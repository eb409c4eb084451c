export type Scalar = string | number | undefined;

/** What a one-liner has. */
export interface State {
  readonly scalars: Map<string, Scalar>;
  readonly arrays: Map<string, Scalar[]>;
  readonly hashes: Map<string, Map<string, Scalar>>;
  /** Of the last match that was found: the groups, with the whole first, and where it begins and ends. */
  match: {
    readonly groups: readonly (string | undefined)[];
    readonly names: Readonly<Record<string, string | undefined>>;
    readonly text: string;
    readonly at: number;
  } | null;
  /** Where `m//g` continues, of each variable. */
  readonly positions: Map<string, number>;
  print(text: string): void;
  warn(text: string): void;
  /** The next line of the input; undefined: its end. */
  readLine(): string | undefined;
  /** The input, or this file of it, is at its end. */
  isAtEnd(): boolean;
  /** The command has to stop. */
  mustStop(): boolean;
}

/** Ends the program. */
export class Exit extends Error {
  override readonly name = "Exit";
  readonly code: number;
  constructor(code: number, message = "") {
    super(message);
    this.code = code;
  }
}

/** `next` and `last` */
export class Jump extends Error {
  override readonly name = "Jump";
  readonly kind: "next" | "last";
  constructor(kind: "next" | "last") {
    super(kind);
    this.kind = kind;
  }
}

/** What Perl has and this does not. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}

/** A part of a program that gives values. */
export interface Expression {
  scalar(): Scalar;
  list(): Scalar[];
  /** Missing: nothing can be assigned to it. */
  assign?(values: Scalar[]): void;
  /** It is an array, a hash or a list: what is assigned to it is a list. */
  readonly isPlural?: boolean;
  /** Of a variable: its name, with its letter. */
  readonly name?: string;
}

export function createState(io: Pick<State, "print" | "warn" | "readLine" | "isAtEnd" | "mustStop">): State {
  return {
    scalars: new Map<string, Scalar>([
      [",", undefined],
      ["\\", undefined],
      ['"', " "],
      ["0", "-e"],
      ["/", "\n"],
    ]),
    arrays: new Map(),
    hashes: new Map(),
    match: null,
    positions: new Map(),
    ...io,
  };
}

export function arrayOf({ arrays }: State, name: string): Scalar[] {
  const found = arrays.get(name) ?? [];
  arrays.set(name, found);
  return found;
}

export function hashOf({ hashes }: State, name: string): Map<string, Scalar> {
  const found = hashes.get(name) ?? new Map<string, Scalar>();
  hashes.set(name, found);
  return found;
}

export function textOf(value: Scalar): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
  return String(Number(value.toPrecision(15))).replace(/e([+-])(\d)$/, "e$10$2");
}

export function numberOf(value: Scalar): number {
  if (typeof value === "number") return value;
  const found = /^\s*([+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?))/.exec(value ?? "");
  return found ? Number(found[1]) : 0;
}

export function isTrue(value: Scalar): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== 0;
}

export function scalarOnly(scalar: () => Scalar): Expression {
  return { scalar, list: () => [scalar()] };
}
