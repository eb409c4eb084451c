import { Bash } from "just-bash/browser";
import { type Command, isNode, type Statement } from "./script-nodes.ts";

type Arithmetic = Extract<Command, { readonly type: "ArithmeticCommand" }>;

/** An operator that just-bash's parser has separated from its `=`. */
const torn = /([<>|&^+\-*/%]) =/g;

/**
 * Parses the commands `((…))` of a statement again, in place, where just-bash parses them differently than bash: it takes `((a>=3))` for a mistake,
 * and `((!a))`, `((a - 1))` and the like for a subshell in a subshell.
 */
export function readArithmetic({ pipelines, sourceText }: Statement): void {
  for (const { commands } of pipelines)
    for (const [nth, command] of commands.entries()) {
      const read = arithmeticOf(command, sourceText ?? "");
      if (read !== null) commands[nth] = read;
    }
}

/** Null: there is nothing to parse again. `text`: the source of the statement around the command. */
function arithmeticOf(command: Command, text: string): Arithmetic | null {
  if (command.type === "ArithmeticCommand") {
    const { originalText = "", expression } = command.expression;
    if (!isNode(expression) || expression["type"] !== "ArithSyntaxError") return null;
    return arithmetic(originalText.replaceAll(torn, "$1="), command);
  }
  const inner = command.type === "Subshell" ? innerText(command) : null;
  return inner === null || !text.includes(`(${inner})`) ? null : arithmetic(inner.slice(1, -1), command);
}

/** The text of a subshell that is the only content of this one; null: there is more in it, or something else. */
function innerText({ body: [statement, ...more] }: Extract<Command, { readonly type: "Subshell" }>): string | null {
  const [pipeline, another] = statement?.pipelines ?? [];
  const [command, next] = pipeline?.commands ?? [];
  const isAlone = more.length === 0 && another === undefined && next === undefined && statement?.background === false;
  if (!isAlone || pipeline?.negated === true || command?.type !== "Subshell" || command.redirections.length > 0) return null;
  const text = statement.sourceText ?? "";
  return text.startsWith("(") && text.endsWith(")") ? text : null;
}

/** Parses the text as just-bash parses it between `$((` and `))`. Null: it is no arithmetic. */
function arithmetic(text: string, { redirections, line }: Pick<Arithmetic, "redirections" | "line">): Arithmetic | null {
  const command = new Bash({ defenseInDepth: false }).transform(`: $((${text}\n))`).ast.statements[0]?.pipelines[0]?.commands[0];
  const part = command?.type === "SimpleCommand" ? command.args[0]?.parts[0] : undefined;
  return part?.type === "ArithmeticExpansion"
    ? { type: "ArithmeticCommand", expression: part.expression, redirections, ...(line !== undefined && { line }) }
    : null;
}
