import { takeErrors } from "./watched-error.ts";
import { Bash } from "just-bash/browser";

export interface InterpreterErrors {
  /** Fails the current command with exit code 1 and this line; the script continues. Any other error would end the script and lose its output. */
  commandFailure(message: string, line: string): Error;
  /** Ends the script, with this line if there is one. Unlike with just-bash's own deadline, the output so far is kept. */
  scriptEnd(line: string | null): Error;
  /** An error in an arithmetic expression. */
  arithmetic(message: string): Error;
  /** An unset variable, under `set -u`. */
  unset(name: string): Error;
}

let learned: Promise<InterpreterErrors> | null = null;

/** Makes just-bash throw one error of each kind, once, and takes their classes. */
export function learnInterpreterErrors(): Promise<InterpreterErrors> {
  learned ??= learn();
  return learned;
}

async function learn(): Promise<InterpreterErrors> {
  const shell = new Bash({ executionLimits: { maxCommandCount: 2 }, defenseInDepth: false });
  await shell.exec("echo ${#x:1:3}");
  await shell.exec("echo $((1 / 0))");
  await shell.exec("set -u; echo $x");
  await shell.exec(":; :; :");
  const errors = takeErrors();
  const Failure = classOf(errors, "BadSubstitutionError");
  const Mistake = classOf(errors, "ArithmeticError");
  const Unset = classOf(errors, "NounsetError");
  const End = classOf(errors, "ExecutionLimitError");
  return {
    commandFailure: (message, line) => new Failure(message, "", `${line}\n`),
    // Without a text, just-bash creates one.
    scriptEnd: (line) => Object.assign(new End(line ?? "", "iterations", "", "\n"), { stderr: line === null ? "" : `${line}\n` }),
    arithmetic: (message) => new Mistake(message),
    unset: (name) => new Unset(name),
  };
}

type ErrorClass = new (...fields: readonly string[]) => Error;

function classOf(errors: readonly Error[], name: string): ErrorClass {
  const found = errors.find((error) => error.name === name);
  if (!found) throw new Error(`just-bash made no ${name}: was it updated?`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the constructor of an existing instance.
  return found.constructor as ErrorClass;
}
