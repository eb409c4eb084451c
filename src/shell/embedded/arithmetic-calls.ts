import { Bash } from "just-bash/browser";
import { compile, evaluateIn, type Expression, mistakeOf, readExpression } from "./exact-arithmetic.ts";
import { learnInterpreterErrors } from "./interpreter-errors.ts";
import { setLineOffset } from "./line-offsets.ts";
import type { Interpreter } from "./running-script.ts";

interface CallResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What stands in an expression for the command of a `$(…)`. just-bash takes the number that it prints. */
type ArithmeticCall = (interpreter: Interpreter) => Promise<CallResult>;

export function isArithmeticCall(command: unknown): command is ArithmeticCall {
  return typeof command === "function";
}

const exact = new WeakSet<object>();

/** It is evaluated here, and finds by itself what names lead to. */
export function isExact(expression: object): boolean {
  return exact.has(expression);
}

/** Has an expression of a script evaluated with 64 bits. `isText`: its value is put into a word. false: it stays as it is. */
export function makeExact(node: Record<string, unknown>, isText: boolean): boolean {
  const text = typeof node["originalText"] === "string" ? node["originalText"] : "";
  const expression = compile(node["expression"], text);
  if (expression === null) return false;
  const values: bigint[] = [];
  const command: ArithmeticCall = async (interpreter) => {
    const { value, stderr } = await evaluate(interpreter, expression);
    if (isText) values.push(value);
    return { stdout: String(value), stderr, exitCode: 0 };
  };
  const call = { type: "ArithCommandSubst", command };
  // A number that is printed has 53 bits for just-bash. It looks at the value right after the call.
  node["expression"] = isText ? { type: "ArithBinary", operator: ",", left: call, right: numberFrom(values) } : call;
  // It would be read again, as it was.
  node["originalText"] = "";
  exact.add(node);
  return true;
}

/** A number that is the first of the values. just-bash looks at it twice. */
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

async function evaluate(interpreter: Interpreter, expression: Expression): Promise<{ value: bigint; stderr: string }> {
  const printed: string[] = [];
  let stderr = "";
  for (const command of expression.commands) {
    const result = await substitute(interpreter, command);
    printed.push(result.stdout);
    stderr += result.stderr;
  }
  try {
    return { value: evaluateIn(interpreter, expression, printed), stderr };
  } catch (error) {
    const found = mistakeOf(error);
    if (found === null) throw error;
    const errors = await learnInterpreterErrors();
    throw found.isUnset ? errors.unset(found.message) : errors.arithmetic(found.message);
  }
}

const variable = "__vibey_printed";
const traced = new RegExp(`^\\++ ${variable}=.*\\n`, "gm");

/** A `$(…)` in an expression. just-bash runs it in a shell that knows neither variables nor functions. */
export async function substitute(interpreter: Interpreter, command: string): Promise<CallResult> {
  const { state } = interpreter.ctx;
  const execute: unknown = Reflect.get(interpreter.ctx, "executeScript");
  if (typeof execute !== "function") throw new Error("just-bash runs scripts elsewhere: was it updated?");
  const script = read(`${variable}=$(${command}\n)`);
  if (typeof script === "string") return { stdout: "", stderr: `bash: syntax error: ${script}\n`, exitCode: 2 };
  setLineOffset(script, Number(Reflect.get(state, "currentLine")) - 1);
  const [code, inCondition] = [Reflect.get(state, "lastExitCode"), Reflect.get(state, "inCondition")];
  // Its exit code is no one's.
  Reflect.set(state, "inCondition", true);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what just-bash answers every script with.
    const { stderr } = (await Reflect.apply(execute, null, [script])) as CallResult;
    return { stdout: variablesOf(state).get(variable) ?? "", stderr: stderr.replaceAll(traced, ""), exitCode: 0 };
  } finally {
    variablesOf(state).delete(variable);
    Reflect.set(state, "inCondition", inCondition);
    Reflect.set(state, "lastExitCode", code);
    variablesOf(state).set("?", String(code));
  }
}

/** Why it can't be read, if so. */
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

/** `let`; null: an expression has a part that is not known here. */
export function exactLet(interpreter: Interpreter, words: readonly string[]): CallResult | null {
  const expressions = words.map(readExpression);
  if (words.length === 0 || !expressions.every((each) => each !== null)) return null;
  let value = 0n;
  try {
    for (const expression of expressions) value = evaluateIn(interpreter, expression, []);
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
