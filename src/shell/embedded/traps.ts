import { fromBytes, toBytes } from "./encoding.ts";
import { toBytesOf, toText } from "./stray-bytes.ts";
import type { Script } from "./script-nodes.ts";

/** The output of a command's result, or of an error by which just-bash ends a shell. */
export interface Output {
  stdout: string;
  stderr: string;
}

/** The script of a handler: `eval 'handler'`. */
export function readTrap(handler: string): Script {
  const word = (value: string) => ({ type: "Word" as const, parts: [{ type: "SingleQuoted" as const, value }] });
  const name = { type: "Word" as const, parts: [{ type: "Literal" as const, value: "eval" }] };
  const command = { type: "SimpleCommand" as const, assignments: [], name, args: [word(handler)], redirections: [] };
  const pipeline = { type: "Pipeline" as const, commands: [command], negated: false };
  return { type: "Script", statements: [{ type: "Statement", pipelines: [pipeline], operators: [], background: false }] };
}

/** The exit code of an error by which just-bash ends a shell; null: another error. */
export function endingCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "NounsetError") return 1;
  if (!["ExitError", "ErrexitError", "PosixFatalError"].includes(error.name)) return null;
  const code: unknown = Reflect.get(error, "exitCode");
  return typeof code === "number" ? code : null;
}

export function isOutput(value: unknown): value is Output {
  return typeof value === "object" && value !== null && "stdout" in value && "stderr" in value;
}

/** Whether its output has one character per byte. */
export function isBytes(result: object): boolean {
  return Reflect.get(result, "stdoutKind") === "bytes" || Reflect.get(result, "stdoutEncoding") === "binary";
}

/** Adds a trap's output. */
export function appendOutput(result: Output, said: Readonly<Output>): void {
  result.stderr += said.stderr;
  if (said.stdout === "") return;
  const asBytes = (part: Readonly<Output>): string => (isBytes(part) ? part.stdout : fromBytes(toBytesOf(part.stdout), "latin1"));
  if (isBytes(result) === isBytes(said)) result.stdout += said.stdout;
  else Object.assign(result, { stdout: asBytes(result) + asBytes(said), stdoutKind: "bytes", stdoutEncoding: "binary" });
}

/** Adds earlier output to an error that ends a shell. */
export function prependOutput(error: unknown, before: Readonly<Output>): void {
  if (typeof error !== "object" || error === null) return;
  const add: unknown = Reflect.get(error, "prependOutput");
  if (typeof add !== "function") throw new Error("just-bash's errors keep no output: was it updated?");
  const stdout = isBytes(before) ? toText(toBytes(before.stdout, "latin1")) : before.stdout;
  Reflect.apply(add, error, [stdout, before.stderr]);
}
