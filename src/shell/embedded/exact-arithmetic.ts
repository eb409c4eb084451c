import { Bash } from "just-bash/browser";
import { isNode } from "./script-nodes.ts";
import type { Interpreter } from "./running-script.ts";
import { type Subscript, withBraces, wordOfKey, withSubscripts } from "./subscripts.ts";

/**
 * Arithmetic with 64 bits, as in bash; just-bash computes with 53 or 32. An expression becomes a function, which replaces the command of a `$(…)`:
 * just-bash passes that command to our `execFn`, which knows the interpreter. An expression with a part that is not supported here stays unchanged.
 */

/** The state of one evaluation. */
interface Run {
  readonly state: object;
  readonly variables: Map<string, string>;
  /** The values of the expression's expansions, in order. */
  readonly expanded: readonly string[];
  readonly mostElements: number;
  /** The current nesting of variables whose values are expressions. */
  depth: number;
}

type Evaluate = (run: Run) => bigint;

/** A word that is expanded before the evaluation. */
interface Expansion {
  readonly word: string;
  /** The array whose subscript contains the word; null: none. */
  readonly array: string | null;
  /** Whether the word is a key, for which the array must be a map. */
  readonly isKey: boolean;
}

export interface Expression {
  readonly expansions: readonly Expansion[];
  readonly evaluate: Evaluate;
}

type Place = (run: Run) => Element;

/** An element of an array. */
interface Element {
  readonly name: string;
  readonly key: string;
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
  const expansions: Expansion[] = [];
  const evaluate = compileInto(expansions, null, node, text);
  return evaluate === null ? null : { expansions, evaluate };
}

/** `within`: the array whose subscript the expression is. */
function compileInto(expansions: Expansion[], within: string | null, root: unknown, text: string): Evaluate | null {
  const { text: bare, subscripts } = withSubscripts(text);
  const node = subscripts.length === 0 ? root : parsed(bare);
  const large = [...bare.matchAll(/(?<![\w#])\d{16,}(?!\w)/g)].map(([digits]) => BigInt.asIntN(64, BigInt(digits)));

  const bases = [...bare.matchAll(/\b\d+#(?=[$`])/g)].map(([base]) => base);

  function expansion(word: string): (run: Run) => string {
    const nth = expansions.push({ word, array: within, isKey: false }) - 1;
    return ({ expanded }) => expanded[nth] ?? "";
  }

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
        return ofBraces(String(given["content"])) ?? ofWord(`"\${${withBraces(String(given["content"]))}}"`);
      case "ArithGroup":
      case "ArithNested":
        return visit(given["expression"]);
      case "ArithCommandSubst":
        return typeof given["command"] === "string" ? ofWord(substitution(given["command"])) : null;
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
        return ofValue(ofElement(given["array"], given["index"], given["stringKey"]));
      default:
        return null;
    }
  }

  function ofWord(word: string): Evaluate {
    const value = expansion(word);
    return (run) => numberOf(run, value(run));
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
      const value = expansion(substitution(given["command"]));
      return (run) => value(run).trim();
    }
    const name = String(given["type"] === "ArithBracedExpansion" ? given["content"] : given["name"]);
    if (/^\w+$/.test(name)) return (run) => textOf(run, name);
    const [, list = "", index = ""] = /^([A-Za-z_]\w*)\[(\d+)\]$/.exec(name) ?? [];
    return list === "" ? null : (run) => elementOf(run, targetOf(run, list), index) ?? "";
  }

  function ofNumber(value: number): Evaluate | null {
    if (Number.isNaN(value)) {
      const token = /(?<![\w#.])0\d*[89]\d*/.exec(bare)?.[0];
      return token === undefined ? null : () => tooGreat(token, token);
    }
    // The parser has changed a large number; `large` has the original.
    const exact = value === Number.MAX_SAFE_INTEGER || !Number.isSafeInteger(value) ? large.shift() : BigInt(value);
    return exact === undefined ? null : () => exact;
  }

  function ofUnary({ operator, operand, prefix }: Record<string, unknown>): Evaluate | null {
    if (operator === "++" || operator === "--") {
      if (!isNode(operand)) return null;
      const step = operator === "++" ? 1n : -1n;
      if (operand["type"] === "ArithArrayElement")
        return stepElement(ofElement(operand["array"], operand["index"], operand["stringKey"]), step, prefix === true);
      if (operand["type"] !== "ArithVariable" || operand["hasDollarPrefix"] === true) return null;
      return stepVariable(String(operand["name"]), step, prefix === true);
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
    if (!/^[A-Za-z_]\w*$/.test(name)) return null;
    const isElement = isNode(subscript) || stringKey !== undefined;
    // The subscript comes before the value, because `large` has the numbers in the order of the text.
    const place = isElement ? ofElement(name, subscript, stringKey) : null;
    const right = visit(value);
    if (right === null) return null;
    const operation = operator === "=" ? null : operations[String(operator).slice(0, -1)];
    if (operation === undefined) return null;
    if (isElement) return assignElement(place, operation, right, text);
    if (operation === null) return (run) => assign(run, name, right(run));
    return (run) => assign(run, name, operation(valueOf(run, name), right(run), text));
  }

  function ofElement(array: unknown, index: unknown, stringKey: unknown): Place | null {
    const name = String(array);
    const variable = isNode(index) && index["type"] === "ArithVariable" ? String(index["name"]) : null;
    const subscript = subscripts.find((each) => each.name === variable);
    if (subscript) return elementAt(name, ofKey(name, subscript), ofIndex(name, subscript));
    // The key of a map is a text.
    if (typeof stringKey === "string") return elementAt(name, () => stringKey, null);
    const hasDollar = isNode(index) && index["hasDollarPrefix"] === true;
    const key = variable === null ? null : (run: Run) => (hasDollar ? textOf(run, variable) : variable);
    const at = visit(index);
    return at && elementAt(name, key, at);
  }

  function ofKey(array: string, { text: key }: Subscript): (run: Run) => string {
    const word = wordOfKey(key);
    if (word === null) return () => key;
    const nth = expansions.push({ word, array, isKey: true }) - 1;
    return ({ expanded }) => expanded[nth] ?? "";
  }

  /** A subscript may be an expression that is not supported, or no expression at all: then the array must be a map. */
  function ofIndex(array: string, { text: index }: Subscript): Evaluate {
    const before = expansions.length;
    const found = compileInto(expansions, array, parsed(index), index);
    if (found === null) expansions.length = before;
    return found ?? (() => unreadable(index));
  }

  return visit(node);
}

function substitution(command: string): string {
  return `$(${command}\n)`;
}

/** `key`: null if it is not known as a text. `index`: null if it is only known as a text. */
function elementAt(array: string, key: ((run: Run) => string) | null, index: Evaluate | null): Place {
  return (run) => {
    const name = targetOf(run, array);
    if (key !== null && (index === null || isIn(run, "associativeArrays", name))) return { name, key: key(run) };
    const at = index?.(run) ?? 0n;
    return { name, key: String(at < 0n ? at + BigInt(lengthOf(run, name)) : at) };
  };
}

function ofValue(place: Place | null): Evaluate | null {
  return place && ((run) => valueAt(run, place(run)));
}

function stepVariable(name: string, step: bigint, isPrefix: boolean): Evaluate {
  return (run) => {
    const before = valueOf(run, name);
    const after = assign(run, name, before + step);
    return isPrefix ? after : before;
  };
}

function stepElement(place: Place | null, step: bigint, isPrefix: boolean): Evaluate | null {
  if (place === null) return null;
  return (run) => {
    const element = place(run);
    const before = valueAt(run, element);
    const after = assignAt(run, element, before + step);
    return isPrefix ? after : before;
  };
}

/** `operation`: null for `=`. bash then evaluates the value before the subscript. */
function assignElement(place: Place | null, operation: Operation | null, right: Evaluate, text: string): Evaluate | null {
  if (place === null) return null;
  return (run) => {
    const value = operation === null ? right(run) : 0n;
    const element = place(run);
    return assignAt(run, element, operation === null ? value : operation(valueAt(run, element), right(run), text));
  };
}

function valueAt(run: Run, { name, key }: Element): bigint {
  const found = elementOf(run, name, key) ?? (key === "0" ? run.variables.get(name) : undefined);
  if (found === undefined && isOn(run, "nounset") && arrayOf(run, name) === undefined) throw mistake(`${name}[${key}]`, true);
  return numberOf(run, found ?? "");
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
  const own = targetOf(run, name);
  if (arrayOf(run, own) !== undefined) return assignAt(run, { name: own, key: "0" }, value);
  if (isIn(run, "readonlyVars", own)) throw mistake(`${own}: readonly variable`);
  const wrapped = wrap(value);
  run.variables.set(own, String(wrapped));
  return wrapped;
}

function assignAt(run: Run, { name, key }: Element, value: bigint): bigint {
  const isMap = isIn(run, "associativeArrays", name);
  if (isMap ? key === "" : key.startsWith("-")) throw mistake(`${name}[${key}]: bad array subscript`);
  if (isIn(run, "readonlyVars", name)) throw mistake(`${name}: readonly variable`);
  const wrapped = wrap(value);
  const elements = arrayOf(run, name) ?? newArray(run, name, isMap);
  if (!elements.has(key) && elements.size >= run.mostElements) throw mistake(`array element limit exceeded (${run.mostElements})`);
  elements.set(key, String(wrapped));
  return wrapped;
}

/** The value of a variable becomes the first element. */
function newArray({ state, variables }: Run, name: string, isMap: boolean): Map<string, string> {
  const before = variables.get(name);
  const elements = new Map(before === undefined ? [] : [["0", before]]);
  const arrays: unknown = Reflect.get(state, "arrays");
  if (!(arrays instanceof Map)) throw new Error("just-bash keeps its arrays elsewhere: was it updated?");
  arrays.set(name, { kind: isMap ? "associative" : "indexed", elements });
  return elements;
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
    const { evaluate, expansions } = read(text);
    // Commands in a variable's value are not run.
    return expansions.length === 0 ? evaluate(run) : unreadable(text);
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
  return /[`"'\\]|\$[({]/.test(text) ? null : compile(parsed(text), text);
}

/** Null: the parser refuses the expression. */
function parsed(text: string): unknown {
  try {
    const command = new Bash({ defenseInDepth: false }).transform(`: $((${text}\n))`).ast.statements[0]?.pipelines[0]?.commands[0];
    const part = command?.type === "SimpleCommand" ? command.args[0]?.parts[0] : undefined;
    return part?.type === "ArithmeticExpansion" ? part.expression.expression : null;
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

/** Expands the expression's words with `expand`, and evaluates it. */
export async function expandAndEvaluate(
  interpreter: Interpreter,
  expression: Expression,
  expand: (word: string) => Promise<string>,
): Promise<bigint> {
  const expanded: string[] = [];
  for (const { word, array, isKey } of expression.expansions) {
    const run = runIn(interpreter, expanded);
    const isNeeded = array === null || isIn(run, "associativeArrays", targetOf(run, array)) === isKey;
    expanded.push(isNeeded ? await expand(word) : "");
  }
  // An expansion may have replaced the interpreter's variables.
  return expression.evaluate(runIn(interpreter, expanded));
}

/** Evaluates an expression without expansions. */
export function evaluateIn(interpreter: Interpreter, { evaluate }: Expression): bigint {
  return evaluate(runIn(interpreter, []));
}

function runIn({ ctx }: Interpreter, expanded: readonly string[]): Run {
  const variables: unknown = Reflect.get(ctx.state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  const mostElements = Number(Reflect.get(Object(Reflect.get(ctx, "limits")), "maxArrayElements"));
  return { state: ctx.state, variables, expanded, mostElements, depth: 0 };
}
