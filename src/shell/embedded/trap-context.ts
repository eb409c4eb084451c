import type { Interpreter } from "./running-script.ts";
import { shellOf } from "./shell-frames.ts";
import { isNode, type Statement } from "./script-nodes.ts";

/** `BASH_COMMAND`, which just-bash lacks. */
const variable = "BASH_COMMAND";

/** Whether any parsed script uses it. Until then it is not set. */
let isRead = false;

/** Called for each node of a parsed script, including texts that may be parsed later. */
export function noteCommandVariable(node: Readonly<Record<string, unknown>>): void {
  if (node["parameter"] === variable || (typeof node["value"] === "string" && node["value"].includes(variable))) isRead = true;
}

/** For each interpreter, the lines of the commands before its running traps, the innermost last. In a trap, `BASH_COMMAND` is that command. */
const traps = new WeakMap<Interpreter, readonly unknown[]>();

/** Returns a function that ends the trap. */
export function enterTrap(interpreter: Interpreter): () => void {
  const before = traps.get(interpreter) ?? [];
  traps.set(interpreter, [...before, Reflect.get(interpreter.ctx.state, "currentLine")]);
  return () => void traps.set(interpreter, before);
}

export function isInTrap(interpreter: Interpreter): boolean {
  return (traps.get(interpreter)?.length ?? 0) > 0;
}

/** Gives the text of a trap the line of the command before it, except for EXIT. Changes the script in place. */
export function putAtLine(interpreter: Interpreter, script: unknown): void {
  const line = traps.get(interpreter)?.at(-1);
  if (line !== undefined && shellOf(interpreter)?.isEnding !== true) setLine(script, line);
}

function setLine(node: unknown, line: unknown): void {
  if (!isNode(node)) return;
  if (typeof node["line"] === "number") node["line"] = line;
  for (const child of Object.values(node)) setLine(child, line);
}

const commands = new Set(["SimpleCommand", "ArithmeticCommand", "ConditionalCommand"]);

/** Called before a statement. */
export function setCommandVariable(interpreter: Interpreter, node: unknown): void {
  if (!isRead || (traps.get(interpreter)?.length ?? 0) > 0 || !isNode(node)) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a statement.
  const { pipelines, sourceText = "" } = node as unknown as Statement;
  const variables: unknown = Reflect.get(interpreter.ctx.state, "env");
  if (!(variables instanceof Map) || !commands.has(pipelines.at(-1)?.commands.at(-1)?.type ?? "")) return;
  // The last command of a list, because the others may fail.
  variables.set(variable, pipelines.length === 1 ? sourceText : (sourceText.split(/&&|\|\|/).at(-1) ?? "").trim());
}
