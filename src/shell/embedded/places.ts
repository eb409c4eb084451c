import type { Script, Statement } from "./script-nodes.ts";

type Pipeline = Statement["pipelines"][number];
export type CommandNode = Pipeline["commands"][number];
export type Stream = "stdout" | "stderr";

/** Where each stream goes. Null: not to the reader of the enclosing stream, but into a file, a pipe or a variable. */
export interface Routes {
  readonly stdout: Stream | null;
  readonly stderr: Stream | null;
}

/** The routes of a command's output. */
export interface Place {
  /** From the command's own redirections to its result. */
  readonly own: Routes;
  /** From its result to the enclosing command: a pipe takes the stdout of every command except the last. */
  readonly outer: Routes;
  /** The first word, if it is plain. */
  readonly name: string | null;
}

const straight: Routes = { stdout: "stdout", stderr: "stderr" };
const piped: Routes = { stdout: null, stderr: "stderr" };
const both: Routes = { stdout: null, stderr: null };

/**
 * Calls `found` for every command whose output reaches the reader of the statements' own output, including commands in loops, groups and conditions,
 * but not those in substitutions, functions and jobs.
 */
export function placesOf(statements: readonly Statement[], found: (command: CommandNode, place: Place) => void): void {
  const visitAll = (inside: readonly Statement[]): void => {
    for (const { pipelines, background } of inside) if (!background) for (const pipeline of pipelines) visitPipeline(pipeline);
  };
  const visitPipeline = ({ commands, pipeStderr }: Pipeline): void => {
    for (const [i, command] of commands.entries())
      placeOf(command, i === commands.length - 1 ? straight : pipeStderr?.[i] === true ? both : piped, found, visitAll);
  };
  visitAll(statements);
}

/** The same for a function's body. */
export function placesOfBody(body: CommandNode, found: (command: CommandNode, place: Place) => void): void {
  placeOf(body, straight, found, (statements) => placesOf(statements, found));
}

function placeOf(
  command: CommandNode,
  outer: Routes,
  found: (command: CommandNode, place: Place) => void,
  visitAll: (statements: readonly Statement[]) => void,
): void {
  if (command.type === "FunctionDef") return;
  found(command, { own: routesOf(command.redirections), outer, name: command.type === "SimpleCommand" ? plainName(command) : null });
  switch (command.type) {
    case "If":
      for (const { condition, body } of command.clauses) {
        visitAll(condition);
        visitAll(body);
      }
      return visitAll(command.elseBody ?? []);
    case "While":
    case "Until":
      visitAll(command.condition);
      return visitAll(command.body);
    case "For":
    case "CStyleFor":
    case "Subshell":
    case "Group":
      return visitAll(command.body);
    case "Case":
      for (const { body } of command.items) visitAll(body);
      return undefined;
    default:
      return undefined;
  }
}

type Redirection = Exclude<CommandNode, { readonly type: "FunctionDef" }>["redirections"][number];

function routesOf(redirections: readonly Redirection[]): Routes {
  let { stdout, stderr }: Routes = straight;
  for (const { fd, fdVariable, operator, target } of redirections) {
    if (operator === "<" || operator === "<<" || operator === "<<-" || operator === "<<<") continue;
    const word = target.type === "Word" ? textOf(target) : null;
    if (fdVariable === undefined && operator === ">&" && fd === 2 && word === "1") stderr = stdout;
    else if (fdVariable === undefined && operator === ">&" && (fd ?? 1) === 1 && word === "2") stdout = stderr;
    else if (operator !== ">&" && operator !== "&>" && operator !== "&>>" && operator !== "<&" && operator !== "<>") {
      if ((fd ?? 1) === 1) stdout = null;
      else if (fd === 2) stderr = null;
    } else return both;
  }
  return { stdout, stderr };
}

function plainName({ name }: Extract<CommandNode, { readonly type: "SimpleCommand" }>): string | null {
  return name === null ? null : textOf(name);
}

function textOf({ parts }: { readonly parts: readonly { readonly type: string }[] }): string | null {
  const [part, more] = parts;
  return part && !more && (part.type === "Literal" || part.type === "SingleQuoted") && "value" in part && typeof part.value === "string"
    ? part.value
    : null;
}

/** Every node of a script that is a script itself (of a substitution), and the body of every function that it defines, at any depth. */
export function insideOf(script: Script): { readonly scripts: readonly object[]; readonly bodies: readonly CommandNode[] } {
  const scripts: object[] = [];
  const bodies: CommandNode[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("type" in node && node.type === "Script") scripts.push(node);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
    if ("type" in node && node.type === "FunctionDef" && "body" in node) bodies.push(node.body as CommandNode);
    for (const child of Array.isArray(node) ? node : Object.values(node)) visit(child);
  };
  visit(script);
  return { scripts, bodies };
}
