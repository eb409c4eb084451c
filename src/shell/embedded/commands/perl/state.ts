export type Scalar = string | number | undefined;

/** The state of a one-liner. */
export interface State {
  readonly scalars: Map<string, Scalar>;
  readonly arrays: Map<string, Scalar[]>;
  readonly hashes: Map<string, Map<string, Scalar>>;
  /** The last successful match: the groups, with the whole match first, and where it begins and ends. */
  match: {
    readonly groups: readonly (string | undefined)[];
    readonly names: Readonly<Record<string, string | undefined>>;
    readonly text: string;
    readonly at: number;
  } | null;
  /** For each variable, where `m//g` continues. */
  readonly positions: Map<string, number>;
  print(text: string): void;
  warn(text: string): void;
  /** The next line of the input; undefined at its end. */
  readLine(): string | undefined;
  /** Whether the current file is at its end. `ofAll`: and no other file follows. */
  isAtEnd(ofAll: boolean): boolean;
  /** Whether `<>` reads files, so that it differs from `<STDIN>`. */
  readonly readsFiles: boolean;
  /** Characters are Unicode, not bytes. */
  readonly isText: boolean;
  /** Whether the command must stop. */
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

/** A feature of Perl that is missing here. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}

/** A part of a program that has a value. */
export interface Expression {
  scalar(): Scalar;
  list(): Scalar[];
  /** Missing: it can't be assigned to. */
  assign?(values: Scalar[]): void;
  /** The parts of a list. */
  readonly parts?: readonly Expression[];
  /** It is an array, a hash or a list, so it is assigned a list. */
  readonly isPlural?: boolean;
  /** The name of a variable, with its sigil. */
  readonly name?: string;
}

export function createState(io: Pick<State, "print" | "warn" | "readLine" | "isAtEnd" | "readsFiles" | "isText" | "mustStop">): State {
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
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
  return general(value, 15);
}

/** Formats a number like C's `%g`. */
export function general(value: number, digits: number): string {
  if (value === 0) return "0";
  const places = Math.max(1, digits);
  const exponent = Number(/e(.+)$/.exec(value.toExponential(places - 1))?.[1]);
  if (exponent >= -4 && exponent < places)
    return Number(value.toPrecision(places))
      .toFixed(Math.max(0, places - 1 - exponent))
      .replace(/(\.\d*?)0+$/, "$1")
      .replace(/\.$/, "");
  return value
    .toExponential(places - 1)
    .replace(/(\.\d*?)0+e/, "$1e")
    .replace(".e", "e")
    .replace(/e([+-])(\d)$/, "e$10$2");
}

/** In bytes only ASCII letters change case. */
export function upper(text: string, { isText }: Pick<State, "isText">): string {
  return isText ? text.toUpperCase() : text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

export function lower(text: string, { isText }: Pick<State, "isText">): string {
  return isText ? text.toLowerCase() : text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Output in bytes must consist of bytes. */
export function bytesOnly(text: string, { isText }: Pick<State, "isText">): string {
  if (!isText && /[\u0100-\uffff]/.test(text)) throw new Unsupported("a character above 255 without -C");
  return text;
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
