import { Bash } from "just-bash/browser";
import { compile, evaluateIn, expandAndEvaluate, mistakeOf, readExpression } from "./exact-arithmetic.ts";
import { learnInterpreterErrors } from "./interpreter-errors.ts";
import { setLineOffset } from "./line-offsets.ts";
import type { Interpreter } from "./running-script.ts";

interface CallResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Replaces the command of a `$(…)` in an expression. just-bash uses the number that it prints. */
type ArithmeticCall = (interpreter: Interpreter) => Promise<CallResult>;

export function isArithmeticCall(command: unknown): command is ArithmeticCall {
  return typeof command === "function";
}

const exact = new WeakSet<object>();

/** Whether the expression is evaluated here. It then resolves references by itself. */
export function isExact(expression: object): boolean {
  return exact.has(expression);
}

/** Makes a script's expression use 64 bits. `isText`: its value is put into a word. Returns false if the expression is not supported here. */
export function makeExact(node: Record<string, unknown>, isText: boolean): boolean {
  const text = typeof node["originalText"] === "string" ? node["originalText"] : "";
  const expression = compile(node["expression"], text);
  if (expression === null) return false;
  const values: bigint[] = [];
  /** The parsed words. */
  const words = new Map<string, object>();
  const command: ArithmeticCall = async (interpreter) => {
    let stderr = "";
    const expandWord = async (word: string): Promise<string> => {
      const result = await expand(interpreter, word, words);
      stderr += result.stderr;
      return result.stdout;
    };
    try {
      const value = await expandAndEvaluate(interpreter, expression, expandWord);
      if (isText) values.push(value);
      return { stdout: String(value), stderr, exitCode: 0 };
    } catch (error) {
      const found = mistakeOf(error);
      if (found === null) throw error;
      const errors = await learnInterpreterErrors();
      if (!found.isUnset) throw errors.arithmetic(found.message);
      const ending = errors.unset(found.message);
      unset.set(interpreter.ctx.state, ending);
      throw ending;
    }
  };
  const call = { type: "ArithCommandSubst", command };
  // just-bash reads printed numbers with 53 bits. So the value is in a separate node, which just-bash reads right after the call.
  node["expression"] = isText ? { type: "ArithBinary", operator: ",", left: call, right: numberFrom(values) } : call;
  // just-bash would parse this text again, without the change.
  node["originalText"] = "";
  exact.add(node);
  return true;
}

/** The errors of `set -u` in expressions, by the state of the shell. */
const unset = new WeakMap<object, unknown>();

/** just-bash turns the error of an unset variable in `((…))` into a message, and continues. */
export function patchArithmeticCommands(prototype: object): void {
  const execute: unknown = Reflect.get(prototype, "executeArithmeticCommand");
  if (typeof execute !== "function") throw new Error("just-bash's interpreter has no executeArithmeticCommand: was it updated?");
  const patched = async function (this: Interpreter, ...args: readonly unknown[]): Promise<unknown> {
    const { state } = this.ctx;
    unset.delete(state);
    const result: unknown = await Reflect.apply(execute, this, args);
    const error = unset.get(state);
    if (error === undefined) return result;
    unset.delete(state);
    throw error;
  };
  Object.assign(prototype, { executeArithmeticCommand: patched });
}

/** A number node whose value is the next of the values. just-bash reads the value twice. */
function numberFrom(values: bigint[]): object {
  let held: bigint | undefined;
  return Object.defineProperty({ type: "ArithNumber" }, "value", {
    get() {
      const before = held;
      held = before === undefined ? values.shift() : undefined;
      return before ?? held ?? 0n;
    },
  });
}

const variable = "__vibey_printed";
const traced = new RegExp(`^\\++ ${variable}=.*\\n`, "gm");

/**
 * Runs a `$(…)` of an expression or an index. just-bash would run it in a shell that has neither the variables nor the functions. In the index of
 * `${list[$((i + 1))]}` just-bash takes the expression for a command in parentheses.
 */
export function substitute(interpreter: Interpreter, command: string): Promise<CallResult> {
  return expand(interpreter, `$(${command}${/^\([^]*\)$/.test(command) ? "" : "\n"})`, new Map());
}

/** Expands a word of an expression as if it were assigned. `words`: the words that were parsed before. */
async function expand(interpreter: Interpreter, word: string, words: Map<string, object>): Promise<CallResult> {
  const { state } = interpreter.ctx;
  const execute: unknown = Reflect.get(interpreter.ctx, "executeScript");
  if (typeof execute !== "function") throw new Error("just-bash runs scripts elsewhere: was it updated?");
  const script = words.get(word) ?? read(`${variable}=${word}`);
  if (typeof script === "string") return { stdout: "", stderr: `bash: syntax error: ${script}\n`, exitCode: 2 };
  if (!words.has(word)) setLineOffset(script, Number(Reflect.get(state, "currentLine")) - 1);
  words.set(word, script);
  const [code, inCondition] = [Reflect.get(state, "lastExitCode"), Reflect.get(state, "inCondition")];
  // The exit code of the substitution is ignored, as in a condition.
  Reflect.set(state, "inCondition", true);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash returns this for every script.
    const { stderr } = (await Reflect.apply(execute, null, [script])) as CallResult;
    return { stdout: variablesOf(state).get(variable) ?? "", stderr: stderr.replaceAll(traced, ""), exitCode: 0 };
  } finally {
    variablesOf(state).delete(variable);
    Reflect.set(state, "inCondition", inCondition);
    Reflect.set(state, "lastExitCode", code);
    variablesOf(state).set("?", String(code));
  }
}

/** Returns the parsed script, or why it can't be parsed. */
function read(text: string): object | string {
  try {
    return new Bash({ defenseInDepth: false }).transform(text).ast;
  } catch (error) {
    if (error instanceof Error && ["ParseException", "LexerError"].includes(error.name)) return error.message;
    throw error;
  }
}

function variablesOf(state: object): Map<string, string> {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return variables;
}

/** `let`. Null: an expression has a part that is not supported here. */
export function exactLet(interpreter: Interpreter, words: readonly string[]): CallResult | null {
  const expressions = words.map(readExpression);
  if (words.length === 0 || !expressions.every((each) => each !== null)) return null;
  let value = 0n;
  try {
    for (const expression of expressions) value = evaluateIn(interpreter, expression);
  } catch (error) {
    const found = mistakeOf(error);
    if (found === null) throw error;
    return {
      stdout: "",
      stderr: `bash: ${found.isUnset ? "" : "let: "}${found.message}${found.isUnset ? ": unbound variable" : ""}\n`,
      exitCode: 1,
    };
  }
  return { stdout: "", stderr: "", exitCode: value === 0n ? 1 : 0 };
}
