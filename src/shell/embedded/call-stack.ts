import type { Interpreter } from "./running-script.ts";

/** The entries of `FUNCNAME` and `BASH_LINENO` for files and `source`, below those of functions. just-bash only has entries for functions. */
interface Ground {
  /** Whether the interpreter runs a file as a separate program. */
  isFile: boolean;
  /** The lines of the running `source` commands, the innermost first. */
  readonly lines: number[];
}

const grounds = new WeakMap<object, Ground>();

/** just-bash's stack. While it has entries, those of `below` are at its end. */
class Stack<T> extends Array<T> {
  #below: () => readonly T[] = () => [];
  #count = 0;

  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  static over<T>(below: () => readonly T[]): Stack<T> {
    const stack = new Stack<T>();
    stack.#below = below;
    return stack;
  }

  override unshift(...given: T[]): number {
    if (this.length === 0) this.#count = this.push(...this.#below());
    return super.unshift(...given);
  }

  override shift(): T | undefined {
    const first = super.shift();
    if (this.length <= this.#count) this.length = 0;
    return first;
  }
}

function groundOf(state: object): Ground {
  const known = grounds.get(state);
  if (known !== undefined) return known;
  const ground: Ground = { isFile: false, lines: [] };
  grounds.set(state, ground);
  return ground;
}

/** Adds the entries for files and `source` below those of functions that are called from now on. */
function build(state: object, ground: Ground): void {
  const { lines, isFile } = ground;
  if (callsIn(state) > 0) return;
  Reflect.set(
    state,
    "funcNameStack",
    Stack.over(() => [...lines.map(() => "source"), ...(isFile ? ["main"] : [])]),
  );
  Reflect.set(
    state,
    "callLineStack",
    Stack.over(() => [...lines, ...(isFile ? [0] : [])]),
  );
}

/** Whether a function is running. */
export function callsInFunctions(state: object): boolean {
  return callsIn(state) > 0;
}

function callsIn(state: object): number {
  const names: unknown = Reflect.get(state, "funcNameStack");
  return Array.isArray(names) ? names.length : 0;
}

/** Called for the script of a file. */
export function beginFile({ ctx: { state } }: Interpreter): void {
  const ground: Ground = { isFile: true, lines: [] };
  grounds.set(state, ground);
  build(state, ground);
}

/** Wraps a file that is read with `source`. */
export async function inSourced({ ctx: { state } }: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const ground = groundOf(state);
  ground.lines.unshift(Number(Reflect.get(state, "currentLine")));
  build(state, ground);
  try {
    return await run();
  } finally {
    ground.lines.shift();
  }
}

/** `caller`, which just-bash lacks. */
export function caller({ ctx: { state } }: Interpreter, words: readonly unknown[]): { stdout: string; stderr: string; exitCode: number } {
  const [names, lines, sources] = ["funcNameStack", "callLineStack", "sourceStack"].map((field): readonly unknown[] => {
    const list: unknown = Reflect.get(state, field);
    return Array.isArray(list) ? list : [];
  });
  const at = words.length === 0 ? 0 : Number(words[0]);
  const [line, name, source] = [lines?.[at], names?.[at + 1], sources?.[at + 1]];
  if (line === undefined || (words.length > 0 && name === undefined)) return { stdout: "", stderr: "", exitCode: 1 };
  const text = [line, ...(words.length === 0 ? [] : [name]), source ?? "NULL"].map(String).join(" ");
  return { stdout: `${text}\n`, stderr: "", exitCode: 0 };
}

/** just-bash's stacks, by the names of their variables. */
const fields = { FUNCNAME: "funcNameStack", BASH_LINENO: "callLineStack", BASH_SOURCE: "sourceStack" } as const;
/** The variables for a computed index such as `${FUNCNAME[i]}`; under the original names, just-bash only takes digits. */
const computed = "vibey_stack_";
/** Whether any parsed script has `${FUNCNAME[i]}`, `${FUNCNAME[1]:-main}`, or the like, for which just-bash needs variables. */
let areExpanded = false;

/** Called for each node of a parsed script. */
export function noteStackVariables(node: Record<string, unknown>): void {
  if (typeof node["parameter"] !== "string") return;
  const [, name, index] = /^(FUNCNAME|BASH_LINENO|BASH_SOURCE)(?:\[([^]*)\])?$/.exec(node["parameter"]) ?? [];
  if (name === undefined) return;
  const isComputed = index !== undefined && !/^(?:\d+|[@*])$/.test(index);
  if (isComputed || node["operation"] !== null) areExpanded = true;
  if (isComputed) node["parameter"] = `${computed}${node["parameter"]}`;
}

/** Called before each command. Sets the variables of the stacks, if a script needs them. */
export function setStackVariables({ ctx: { state } }: Interpreter): void {
  const arrays: unknown = areExpanded ? Reflect.get(state, "arrays") : null;
  if (!(arrays instanceof Map)) return;
  for (const [name, field] of Object.entries(fields)) {
    const list: unknown = Reflect.get(state, field);
    const elements = Array.isArray(list) ? list.map((each, i) => [String(i), String(each)] as const) : [];
    for (const variable of [name, `${computed}${name}`])
      if (elements.length > 0) arrays.set(variable, { kind: "indexed", elements: new Map(elements) });
      else arrays.delete(variable);
  }
}
