import type { Expr, Program, Statement } from "./parser.ts";

/** What must be known about a program before it is compiled. */
export interface Analysis {
  /** Functions that may have to wait for a file or another command. */
  readonly waiting: ReadonlySet<string>;
  /** For each function, the parameters that are arrays. */
  readonly arrays: ReadonlyMap<string, ReadonlySet<string>>;
  readonly globalArrays: ReadonlySet<string>;
}

type Node = Expr | Statement;

/** Yields the node, then each expression and statement below it. */
export function* below(node: unknown): Generator<Node> {
  if (typeof node !== "object" || node === null) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every object with a type in the tree is one of these.
  if ("type" in node) yield node as Node;
  for (const child of Object.values(node)) yield* below(child);
}

/** Whether the node itself waits: reading input and running commands do. Printing to a command waits only in `close`, which runs the command. */
export function waitsItself(node: Node): boolean {
  return node.type === "getline" || (node.type === "builtin" && ["system", "close"].includes(node.name));
}

/** The positions of array arguments of built-in functions. */
const arrayArguments: Readonly<Record<string, readonly number[]>> = { split: [1, 3], match: [2], asort: [0, 1], asorti: [0, 1] };

/** The names that a node itself uses as arrays. */
function arraysOf(node: Node): readonly string[] {
  switch (node.type) {
    case "element":
    case "in":
    case "delete":
      return [node.name];
    case "each":
      return [node.array];
    case "builtin":
      return (arrayArguments[node.name] ?? []).flatMap((place) => {
        const arg = node.args[place];
        return arg?.type === "name" ? [arg.name] : [];
      });
    default:
      return [];
  }
}

export function analyse({ rules, functions }: Program): Analysis {
  const nodes = new Map([...functions].map(([name, { body }]) => [name, [...below(body)]] as const));
  const waiting = new Set<string>();
  const arrays = new Map<string, Set<string>>();
  for (const [name, { parameters }] of functions) {
    const used = new Set((nodes.get(name) ?? []).flatMap(arraysOf));
    arrays.set(name, new Set(parameters.filter((each) => used.has(each))));
    if (nodes.get(name)?.some(waitsItself) === true) waiting.add(name);
  }
  /** Names that are passed to an array parameter. */
  const passed = (node: Node): readonly string[] => {
    if (node.type !== "call") return [];
    const parameters = functions.get(node.name)?.parameters ?? [];
    return node.args.flatMap((arg, i) =>
      arg.type === "name" && arrays.get(node.name)?.has(parameters[i] ?? "") === true ? [arg.name] : [],
    );
  };
  for (let grows = true; grows; ) {
    grows = false;
    for (const [name, { parameters }] of functions) {
      const own = arrays.get(name);
      for (const node of nodes.get(name) ?? []) {
        for (const each of passed(node))
          if (own !== undefined && parameters.includes(each) && !own.has(each)) {
            own.add(each);
            grows = true;
          }
        if (node.type === "call" && waiting.has(node.name) && !waiting.has(name)) {
          waiting.add(name);
          grows = true;
        }
      }
    }
  }
  const globalArrays = new Set(["ENVIRON", "ARGV", "PROCINFO"]);
  for (const node of rules.flatMap((rule) => [...below(rule)]))
    for (const each of [...arraysOf(node), ...passed(node)]) globalArrays.add(each);
  for (const [name, { parameters }] of functions)
    for (const node of nodes.get(name) ?? [])
      for (const each of [...arraysOf(node), ...passed(node)]) if (!parameters.includes(each)) globalArrays.add(each);
  return { waiting, arrays, globalArrays };
}
