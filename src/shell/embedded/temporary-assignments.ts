import { declaring } from "./many-words.ts";
import { type Command, isNode, literal, parameter, type Simple, single, type Word } from "./script-nodes.ts";

/** Pipelines that only expand words. If a substitution in them fails, `set -e` and ERR traps ignore it. */
const expansions = new WeakSet<object>();

export const isExpansion = (pipeline: object): boolean => expansions.has(pipeline);

const wordsVariable = "__vibey_words";

/**
 * `x=1 echo $x` prints the `x` from before, because bash expands the words first. just-bash assigns first. Such a command becomes a group that expands
 * the words into a list, and then runs the command with it. Null: the command's words don't depend on its assignments.
 */
export function wordsFirst(command: Simple): Command | null {
  const { assignments, name, args, redirections } = command;
  const called = literal(name);
  if (assignments.length === 0 || name === null || called === null || called === "exec" || declaring.has(called)) return null;
  const names = new Set(assignments.map((each) => each.name));
  const depends = uses(args, names) || (names.has("IFS") && args.some(isSplit));
  if (!depends && !uses(redirections, names)) return null;
  const call: Simple = { ...command, redirections: [] };
  if (!depends) return { type: "Group", body: [single(call)], redirections };
  const list: Word = { type: "Word", parts: [{ type: "DoubleQuoted", parts: [parameter(`${wordsVariable}[@]`)] }] };
  const expand: Simple = {
    ...command,
    assignments: [{ type: "Assignment", name: wordsVariable, value: null, append: false, array: args.map(unkeyed) }],
    name: null,
    args: [],
    redirections: [],
  };
  const expanding = single(expand);
  for (const pipeline of expanding.pipelines) expansions.add(pipeline);
  return { type: "Group", body: [expanding, single({ ...call, args: [list] })], redirections };
}

/** In a list, `[k]=v` would have a key, but not after an empty quotation. */
function unkeyed(each: Word): Word {
  const [first] = each.parts;
  const begin = first?.type === "Literal" ? first.value : first?.type === "Glob" ? first.pattern : "";
  return begin.startsWith("[") ? { ...each, parts: [{ type: "SingleQuoted", value: "" }, ...each.parts] } : each;
}

/** Whether one of these variables is expanded. */
function uses(node: unknown, names: ReadonlySet<string>): boolean {
  if (Array.isArray(node)) return node.some((each) => uses(each, names));
  if (!isNode(node)) return false;
  const name = node["type"] === "ParameterExpansion" ? node["parameter"] : node["type"] === "ArithVariable" ? node["name"] : null;
  return (typeof name === "string" && names.has(name)) || Object.values(node).some((each) => uses(each, names));
}

/** Whether the word is split, or joined, by IFS. */
function isSplit({ parts }: Word): boolean {
  return parts.some(
    (part) =>
      part.type === "ParameterExpansion" ||
      part.type === "CommandSubstitution" ||
      (part.type === "DoubleQuoted" &&
        part.parts.some((inner) => inner.type === "ParameterExpansion" && /^(?:\*|\w+\[\*\])$/.test(inner.parameter))),
  );
}
