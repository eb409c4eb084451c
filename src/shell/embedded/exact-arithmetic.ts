import { Bash } from "just-bash/browser";
import { isNode } from "./script-nodes.ts";
import type { Interpreter } from "./running-script.ts";

/**
 * Arithmetic with 64 bits, as in bash; just-bash computes with 53 or 32. An expression becomes a function, which replaces the command of a `$(…)`:
 * just-bash passes that command to our `execFn`, which knows the interpreter. An expression with a part that is not supported here stays unchanged.
 */

/** The state of one evaluation. */
interface Run {
  readonly state: object;
  readonly variables: Map<string, string>;
  /** What the expression's `$(…)` printed, in order. */
  readonly printed: readonly string[];
  /** The current nesting of variables whose values are expressions. */
  depth: number;
}

type Evaluate = (run: Run) => bigint;

export interface Expression {
  /** The commands of the expression's `$(…)`, which run before the evaluation. */
  readonly commands: readonly string[];
  readonly evaluate: Evaluate;
}

/** Errors in expressions, with whether the error is an unset variable. */
const mistakes = new WeakMap<Error, boolean>();

function mistake(message: string, isUnset = false): Error {
  const error = new Error(message);
  mistakes.set(error, isUnset);
  return error;
}

/** Null: it is another error. */
export function mistakeOf(error: unknown): { readonly message: string; readonly isUnset: boolean } | null {
  const isUnset = error instanceof Error ? mistakes.get(error) : undefined;
  return error instanceof Error && isUnset !== undefined ? { message: error.message, isUnset } : null;
}

const mostDepth = 100;

/** Null: the expression has a part that is not supported here. */
export function compile(node: unknown, text: string): Expression | null {
  const commands: string[] = [];
  const large = [...text.matchAll(/(?<![\w#])\d{16,}(?!\w)/g)].map(([digits]) => BigInt.asIntN(64, BigInt(digits)));

  const bases = [...text.matchAll(/\b\d+#(?=[$`])/g)].map(([base]) => base);

  function all(...nodes: readonly unknown[]): Evaluate[] | null {
    const found = nodes.map(visit);
    return found.every((each) => each !== null) ? found : null;
  }

  function visit(given: unknown): Evaluate | null {
    if (!isNode(given)) return null;
    switch (given["type"]) {
      case "ArithNumber":
        return ofNumber(Number(given["value"]));
      case "ArithVariable":
      case "ArithSpecialVar": {
        const name = String(given["name"]);
        return (run) => valueOf(run, name);
      }
      case "ArithBracedExpansion":
        return ofBraces(String(given["content"]));
      case "ArithGroup":
      case "ArithNested":
        return visit(given["expression"]);
      case "ArithCommandSubst": {
        if (typeof given["command"] !== "string") return null;
        const nth = commands.push(given["command"]) - 1;
        return (run) => numberOf(run, run.printed[nth] ?? "");
      }
      case "ArithConcat":
        return Array.isArray(given["parts"]) ? ofBase(given["parts"]) : null;
      case "ArithUnary":
        return ofUnary(given);
      case "ArithBinary":
        return ofBinary(given);
      case "ArithTernary": {
        const [condition, then, otherwise] = all(given["condition"], given["consequent"], given["alternate"]) ?? [];
        return condition && then && otherwise ? (run) => (condition(run) === 0n ? otherwise(run) : then(run)) : null;
      }
      case "ArithAssignment":
        return ofAssignment(given);
      case "ArithArrayElement":
        return ofElement(given);
      default:
        return null;
    }
  }

  /** `10#$name`: the parser takes the base for a number of its own, which is NaN. */
  function ofBase([first, ...rest]: readonly unknown[]): Evaluate | null {
    if (!isNode(first) || first["type"] !== "ArithNumber" || !Number.isNaN(first["value"])) return null;
    const base = bases.shift();
    const texts = rest.map(textIn);
    if (base === undefined || !texts.every((each) => each !== null)) return null;
    return (run) => numberOf(run, base + texts.map((each) => each(run)).join(""));
  }

  /** The text of an expansion. */
  function textIn(given: unknown): ((run: Run) => string) | null {
    if (!isNode(given)) return null;
    if (given["type"] === "ArithCommandSubst" && typeof given["command"] === "string") {
      const nth = commands.push(given["command"]) - 1;
      return (run) => (run.printed[nth] ?? "").trim();
    }
    const name = String(given["type"] === "ArithBracedExpansion" ? given["content"] : given["name"]);
    if (/^\w+$/.test(name)) return (run) => textOf(run, name);
    const [, list = "", index = ""] = /^([A-Za-z_]\w*)\[(\d+)\]$/.exec(name) ?? [];
    return list === "" ? null : (run) => elementOf(run, targetOf(run, list), index) ?? "";
  }

  function ofNumber(value: number): Evaluate | null {
    if (Number.isNaN(value)) {
      const token = /(?<![\w#.])0\d*[89]\d*/.exec(text)?.[0];
      return token === undefined ? null : () => tooGreat(token, token);
    }
    // The parser has changed a large number; `large` has the original.
    const exact = value === Number.MAX_SAFE_INTEGER || !Number.isSafeInteger(value) ? large.shift() : BigInt(value);
    return exact === undefined ? null : () => exact;
  }

  function ofUnary({ operator, operand, prefix }: Record<string, unknown>): Evaluate | null {
    if (operator === "++" || operator === "--") {
      if (!isNode(operand) || operand["type"] !== "ArithVariable" || operand["hasDollarPrefix"] === true) return null;
      const name = String(operand["name"]);
      const step = operator === "++" ? 1n : -1n;
      return (run) => {
        const before = valueOf(run, name);
        const after = assign(run, name, before + step);
        return prefix === true ? after : before;
      };
    }
    const inner = visit(operand);
    if (inner === null) return null;
    if (operator === "-") return (run) => BigInt.asIntN(64, -inner(run));
    if (operator === "+") return inner;
    if (operator === "!") return (run) => (inner(run) === 0n ? 1n : 0n);
    return operator === "~" ? (run) => ~inner(run) : null;
  }

  function ofBinary({ operator, left, right }: Record<string, unknown>): Evaluate | null {
    const [a, b] = all(left, right) ?? [];
    if (a === undefined || b === undefined) return null;
    if (operator === "&&") return (run) => (a(run) !== 0n && b(run) !== 0n ? 1n : 0n);
    if (operator === "||") return (run) => (a(run) !== 0n || b(run) !== 0n ? 1n : 0n);
    const operation = operations[String(operator)];
    if (operation === undefined) return null;
    return (run) => {
      const first = a(run);
      return operation(first, b(run), text);
    };
  }

  function ofAssignment({ operator, variable, value, subscript, stringKey }: Record<string, unknown>): Evaluate | null {
    const name = String(variable);
    if (isNode(subscript) || stringKey !== undefined || !/^[A-Za-z_]\w*$/.test(name)) return null;
    const given = visit(value);
    if (given === null) return null;
    if (operator === "=") return (run) => assign(run, name, given(run));
    const operation = operations[String(operator).slice(0, -1)];
    return operation === undefined ? null : (run) => assign(run, name, operation(valueOf(run, name), given(run), text));
  }

  function ofElement({ array, index, stringKey }: Record<string, unknown>): Evaluate | null {
    const name = String(array);
    // The key of a map is a text.
    const key =
      typeof stringKey === "string" ? stringKey : isNode(index) && index["type"] === "ArithVariable" ? String(index["name"]) : null;
    const byName = isNode(index) && index["hasDollarPrefix"] !== true;
    const at = stringKey === undefined ? visit(index) : null;
    if (stringKey === undefined && at === null) return null;
    return (run) => {
      const own = targetOf(run, name);
      const isMap = isIn(run, "associativeArrays", own);
      if (isMap && key !== null)
        return numberOf(run, elementOf(run, own, stringKey !== undefined || byName ? key : textOf(run, key)) ?? "");
      if (at === null) return numberOf(run, elementOf(run, own, key ?? "") ?? "");
      const given = at(run);
      const nth = given < 0n ? given + BigInt(lengthOf(run, own)) : given;
      const found = elementOf(run, own, String(nth)) ?? (nth === 0n ? run.variables.get(own) : undefined);
      if (found === undefined && isOn(run, "nounset") && arrayOf(run, own) === undefined) throw mistake(`${name}[${nth}]`, true);
      return numberOf(run, found ?? "");
    };
  }

  const evaluate = visit(node);
  return evaluate === null ? null : { commands, evaluate };
}

const flag = (is: boolean): bigint => (is ? 1n : 0n);
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

type Operation = (a: bigint, b: bigint, text: string) => bigint;

const operations: Readonly<Record<string, Operation | undefined>> = {
  "+": (a, b) => wrap(a + b),
  "-": (a, b) => wrap(a - b),
  "*": (a, b) => wrap(a * b),
  "/": (a, b, text) => wrap(a / divisor(b, text)),
  "%": (a, b, text) => wrap(a % divisor(b, text)),
  "**": power,
  "<<": (a, b) => wrap(a << (b & 63n)),
  ">>": (a, b) => a >> (b & 63n),
  "<": (a, b) => flag(a < b),
  "<=": (a, b) => flag(a <= b),
  ">": (a, b) => flag(a > b),
  ">=": (a, b) => flag(a >= b),
  "==": (a, b) => flag(a === b),
  "!=": (a, b) => flag(a !== b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  ",": (_a, b) => b,
};

function divisor(value: bigint, text: string): bigint {
  if (value !== 0n) return value;
  const written = text.trim();
  const token = /[/%]=?\s*([^/%]*)$/.exec(written)?.[1] ?? "0";
  throw mistake(written === "" ? "division by 0" : `${written}: division by 0 (error token is "${token}")`);
}

function power(base: bigint, exponent: bigint, text: string): bigint {
  if (exponent < 0n) throw mistake(`${text.trim()}: exponent less than 0 (error token is "${exponent}")`);
  let result = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = wrap(result * square);
    square = wrap(square * square);
  }
  return result;
}

/** `${…}`. Null: this form is not supported here. */
function ofBraces(content: string): Evaluate | null {
  if (/^(?:\w+|[#?$])$/.test(content)) return (run) => valueOf(run, content);
  const count = /^#([A-Za-z_]\w*)\[[@*]\]$/.exec(content)?.[1];
  if (count !== undefined) return (run) => BigInt(arrayOf(run, targetOf(run, count))?.size ?? (run.variables.has(count) ? 1 : 0));
  const length = /^#([A-Za-z_]\w*)$/.exec(content)?.[1];
  if (length !== undefined) return (run) => BigInt(Array.from(textOf(run, length)).length);
  const [, name = "", colon = "", word = ""] = /^(\w+)(:?)-(\w*)$/.exec(content) ?? [];
  if (name === "") return null;
  return (run) => {
    const value = find(run, name);
    return numberOf(run, value === undefined || (value === "" && colon !== "") ? word : value);
  };
}

function find(run: Run, name: string): string | undefined {
  const { state, variables } = run;
  if (name === "?") return String(Reflect.get(state, "lastExitCode"));
  const found = variables.get(name) ?? elementOf(run, name, "0");
  if (found !== undefined) return found;
  if (name === "RANDOM") return String(Math.floor(Math.random() * 32_768));
  if (name === "SECONDS") return String(Math.floor((Date.now() - Number(Reflect.get(state, "startTime"))) / 1000));
  if (name === "#") return "0";
  const field = fields[name];
  return field === undefined ? undefined : String(Reflect.get(state, field));
}

/** The fields in which just-bash stores values that are not variables. */
const fields: Readonly<Record<string, string | undefined>> = {
  $: "virtualPid",
  PPID: "virtualPpid",
  BASHPID: "bashPid",
  UID: "virtualUid",
  EUID: "virtualUid",
  LINENO: "currentLine",
};

function textOf(run: Run, name: string): string {
  const found = find(run, name);
  if (found === undefined && isOn(run, "nounset")) throw mistake(name, true);
  return found ?? "";
}

function valueOf(run: Run, name: string): bigint {
  return numberOf(run, textOf(run, name));
}

function assign(run: Run, name: string, value: bigint): bigint {
  const wrapped = wrap(value);
  run.variables.set(targetOf(run, name), String(wrapped));
  return wrapped;
}

/** The variable that a `declare -n` reference refers to. */
function targetOf(run: Run, name: string): string {
  let found = name;
  for (let steps = 0; steps < mostDepth && isIn(run, "namerefs", found); steps++) found = run.variables.get(found) ?? "";
  return /^[A-Za-z_]\w*$/.test(found) ? found : name;
}

function arrayOf({ state }: Run, name: string): Map<string, string> | undefined {
  const arrays: unknown = Reflect.get(state, "arrays");
  const array: unknown = arrays instanceof Map ? arrays.get(name) : undefined;
  const elements: unknown = typeof array === "object" && array !== null ? Reflect.get(array, "elements") : undefined;
  return elements instanceof Map ? elements : undefined;
}

function elementOf(run: Run, name: string, key: string): string | undefined {
  return arrayOf(run, name)?.get(key);
}

/** The index after the last element. */
function lengthOf(run: Run, name: string): number {
  return Math.max(-1, ...[...(arrayOf(run, name)?.keys() ?? [])].map(Number)) + 1;
}

function isIn({ state }: Run, field: string, name: string): boolean {
  const names: unknown = Reflect.get(state, field);
  return names instanceof Set && names.has(name);
}

function isOn({ state }: Run, option: string): boolean {
  const options: unknown = Reflect.get(state, "options");
  return typeof options === "object" && options !== null && Reflect.get(options, option) === true;
}

/** The value of a text, which is a number or an expression. */
function numberOf(run: Run, given: string): bigint {
  const text = given.trim();
  if (/^[-+]?(?:0|[1-9]\d*)$/.test(text)) return wrap(BigInt(text.startsWith("+") ? text.slice(1) : text));
  if (text === "") return 0n;
  const [, sign = "", digits = ""] = /^([-+]?)(0[\da-fA-FxX]*)$/.exec(text) ?? [];
  if (digits !== "") {
    const isHex = /^0[xX]/.test(digits);
    if (!isHex && /[^0-7]/.test(digits)) return tooGreat(text, digits);
    const value = BigInt(isHex ? digits : `0o${digits.slice(1)}`);
    return wrap(sign === "-" ? -value : value);
  }
  if (run.depth >= mostDepth) throw mistake(`${text}: expression recursion level exceeded (error token is "${text}")`);
  run.depth++;
  try {
    if (/^[A-Za-z_]\w*$/.test(text)) return valueOf(run, text);
    const { evaluate, commands } = read(text);
    // Commands in a variable's value are not run.
    return commands.length === 0 ? evaluate(run) : unreadable(text);
  } finally {
    run.depth--;
  }
}

const known = new Map<string, Expression>();
const mostKnown = 500;

function read(text: string): Expression {
  return readExpression(text) ?? unreadable(text);
}

/** Parses an expression that a script has as a text. Null: it has a part that is not supported here. */
export function readExpression(text: string): Expression | null {
  const before = known.get(text);
  if (before !== undefined) return before;
  const found = parse(text);
  if (known.size >= mostKnown) known.clear();
  if (found !== null) known.set(text, found);
  return found;
}

function parse(text: string): Expression | null {
  if (/[`"'\\]|\$[({]/.test(text)) return null;
  try {
    const command = new Bash({ defenseInDepth: false }).transform(`: $((${text}\n))`).ast.statements[0]?.pipelines[0]?.commands[0];
    const part = command?.type === "SimpleCommand" ? command.args[0]?.parts[0] : undefined;
    return part?.type === "ArithmeticExpansion" ? compile(part.expression.expression, text) : null;
  } catch (error) {
    if (error instanceof Error && ["ArithmeticError", "LexerError", "ParseException"].includes(error.name)) return null;
    throw error;
  }
}

function tooGreat(text: string, token: string): never {
  throw mistake(`${text}: value too great for base (error token is "${token}")`);
}

function unreadable(text: string): never {
  const [, rest = text] = /^[-+]?\w+(\W.*)?$/s.exec(text) ?? [];
  if (/^\s+\w/.test(rest)) throw mistake(`${text}: syntax error in expression (error token is "${rest.trim()}")`);
  throw mistake(`${text}: syntax error: invalid arithmetic operator (error token is "${rest}")`);
}

/** Evaluates the expression in an interpreter. */
export function evaluateIn({ ctx: { state } }: Interpreter, { evaluate }: Expression, printed: readonly string[]): bigint {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return evaluate({ state, variables, printed, depth: 0 });
}
