import { Bash } from "just-bash/browser";
import { type Command, isNode, type Statement } from "./script-nodes.ts";

type Arithmetic = Extract<Command, { readonly type: "ArithmeticCommand" }>;

/** An operator that just-bash's parser has torn apart from its `=`. */
const torn = /([<>|&^+\-*/%]) =/g;

/**
 * Reads the commands `((…))` of a statement again where just-bash does not read them as bash does, in place: it takes `((a>=3))` for a mistake, and
 * `((!a))`, `((a - 1))` and their kind for a subshell in a subshell.
 */
export function readArithmetic({ pipelines, sourceText }: Statement): void {
  for (const { commands } of pipelines)
    for (const [nth, command] of commands.entries()) {
      const read = arithmeticOf(command, sourceText ?? "");
      if (read !== null) commands[nth] = read;
    }
}

/** null: there is nothing to read again. `text`: of the statement around the command. */
function arithmeticOf(command: Command, text: string): Arithmetic | null {
  if (command.type === "ArithmeticCommand") {
    const { originalText = "", expression } = command.expression;
    if (!isNode(expression) || expression["type"] !== "ArithSyntaxError") return null;
    return arithmetic(originalText.replaceAll(torn, "$1="), command);
  }
  const inner = command.type === "Subshell" ? innerText(command) : null;
  return inner === null || !text.includes(`(${inner})`) ? null : arithmetic(inner.slice(1, -1), command);
}

/** The text of a subshell that is all that is in this one; null: there is more in it, or something else. */
function innerText({ body: [statement, ...more] }: Extract<Command, { readonly type: "Subshell" }>): string | null {
  const [pipeline, another] = statement?.pipelines ?? [];
  const [command, next] = pipeline?.commands ?? [];
  const isAlone = more.length === 0 && another === undefined && next === undefined && statement?.background === false;
  if (!isAlone || pipeline?.negated === true || command?.type !== "Subshell" || command.redirections.length > 0) return null;
  const text = statement.sourceText ?? "";
  return text.startsWith("(") && text.endsWith(")") ? text : null;
}

/** What is read between `$((` and `))` is read as it is. */
function arithmetic(text: string, { redirections, line }: Pick<Arithmetic, "redirections" | "line">): Arithmetic | null {
  const command = new Bash({ defenseInDepth: false }).transform(`: $((${text}\n))`).ast.statements[0]?.pipelines[0]?.commands[0];
  const part = command?.type === "SimpleCommand" ? command.args[0]?.parts[0] : undefined;
  return part?.type === "ArithmeticExpansion"
    ? { type: "ArithmeticCommand", expression: part.expression, redirections, ...(line !== undefined && { line }) }
    : null;
}
