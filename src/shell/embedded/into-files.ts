import type { CommandNode, Stream } from "./places.ts";
import { type Word, word } from "./script-nodes.ts";
import { openCommand } from "./script.ts";

/** Where a command's stream goes: to a stream of the enclosing command, or to the file with that index among the files of its redirections. */
export type Goal = Stream | number;

/** A command split from its redirections. */
export interface IntoFiles {
  readonly stdout: Goal;
  readonly stderr: Goal;
  /** The command without its redirections. */
  readonly bare: CommandNode;
  /** A command that opens the files as just-bash would, and passes their names to `openCommand`. */
  readonly open: CommandNode;
  readonly files: number;
}

type Redirection = Exclude<CommandNode, { readonly type: "FunctionDef" }>["redirections"][number];

const inputs = new Set(["<", "<<", "<<-", "<<<"]);

/** These print nothing before they end, and end soon. */
const printsAtOnce = new Set(["echo", "printf", "cat", "date"]);

/** Null: no stream goes to a file, or the kind of redirection is left to just-bash. */
export function intoFiles(node: CommandNode): IntoFiles | null {
  if (node.type === "FunctionDef" || node.redirections.length === 0) return null;
  if (node.type === "SimpleCommand" && node.name !== null && printsAtOnce.has(plainText(node.name) ?? "")) return null;
  // Without a command there is nothing to run but the redirections; those of `exec` alone stay in effect.
  if (node.type === "SimpleCommand" && (node.name === null || (node.args.length === 0 && plainText(node.name) === "exec"))) return null;
  let [stdout, stderr]: [Goal, Goal] = ["stdout", "stderr"];
  const kept: Redirection[] = [];
  const outputs: Redirection[] = [];
  const names: Word[] = [];
  for (const redirection of node.redirections) {
    const { fd, fdVariable, operator, target } = redirection;
    if (fdVariable !== undefined || (fd ?? 1) > 2) return null;
    if (inputs.has(operator)) {
      if ((fd ?? 0) !== 0) return null;
      kept.push(redirection);
      continue;
    }
    if (target.type !== "Word" || fd === 0) return null;
    if (operator === ">&") {
      const from = plainText(target);
      const goal: Goal | null = from === "1" ? stdout : from === "2" ? stderr : null;
      if (goal === null) return null;
      if (fd === 2) stderr = goal;
      else stdout = goal;
      continue;
    }
    if (operator === "<&" || operator === "<>" || !isSteady(target)) return null;
    const index = names.push(target) - 1;
    outputs.push(redirection);
    if (operator === "&>" || operator === "&>>") [stdout, stderr] = [index, index];
    else if (fd === 2) stderr = index;
    else stdout = index;
  }
  if (names.length === 0) return null;
  const nothing: Redirection = { type: "Redirection", fd: null, operator: "<", target: word("/dev/null") };
  return {
    stdout,
    stderr,
    bare: { ...node, redirections: kept },
    open: { type: "SimpleCommand", assignments: [], name: word(openCommand), args: names, redirections: [nothing, ...outputs] },
    files: names.length,
  };
}

function plainText({ parts: [part, more] }: Word): string | null {
  return part?.type === "Literal" && more === undefined ? part.value : null;
}

/** Whether the word always expands to the same text, without side effects. */
function isSteady({ parts }: Word): boolean {
  return parts.every((part): boolean => {
    if (part.type === "DoubleQuoted") return isSteady({ type: "Word", parts: part.parts });
    if (part.type === "ParameterExpansion")
      return part.operation === null && !/^(?:S?RANDOM|SECONDS|EPOCH\w+|BASHPID|_)$/.test(part.parameter);
    return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped" || part.type === "TildeExpansion";
  });
}
