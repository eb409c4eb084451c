import { type Command, type For, isNode, type Simple, single, type Statement, type Word } from "./script-nodes.ts";

/** The variable that replaces `${…}` in arithmetic. */
const variable = "__vibey_number";

/**
 * The expansions that just-bash supports in arithmetic: `${name}`, `${#name[@]}`, `${name[1]}` and a plain word after `${name:-`. Others are 0 there.
 */
const known = /^(?:\w+|#[A-Za-z_]\w*(?:\[[@*]\])?|[A-Za-z_]\w*\[(?:[@*]|\w+)\]|![A-Za-z_]\w*|[#?$!@*-]|\w+:?[-+=?][^$`"'\\[\]{}]*)$/;

type Arithmetic = Extract<Command, { readonly type: "ArithmeticCommand" }>;
type Conditional = Extract<Command, { readonly type: "ConditionalCommand" }>;

/**
 * Returns the command, preceded by assignments of the braced expansions in its arithmetic (`$((${map[$key]:-0} + 1))`), which just-bash would take
 * for 0.
 */
export function withArithmetic(command: Simple | For | Arithmetic | Conditional): Command {
  const reads: Statement[] = [];
  /** `within`: the enclosing expression, whose text is parsed again if it contains variables. */
  const visit = (node: unknown, within: Record<string, unknown> | null = null): void => {
    if (Array.isArray(node)) for (const child of node) visit(child, within);
    // These contain commands of their own.
    if (!isNode(node) || node["type"] === "CommandSubstitution" || node["type"] === "ProcessSubstitution") return;
    // The assignments run in any case, so leave out what the command might not evaluate.
    if (node["type"] === "ParameterExpansion" || node["type"] === "CondAnd" || node["type"] === "CondOr") return;
    const content = node["type"] === "ArithBracedExpansion" ? String(node["content"]) : null;
    if (content !== null && !known.test(content) && !content.includes("$?")) {
      const name = `${variable}_${reads.length}`;
      reads.push(assigning(name, content));
      node["content"] = name;
      if (typeof within?.["originalText"] === "string")
        within["originalText"] = within["originalText"]
          .replace(`\${${content}}`, () => `\${${name}}`)
          // The parser drops the quotes of a key.
          .replaceAll(/\$\{([^{}]*)\}/g, (all, inner: string) => (inner.replaceAll(/["']/g, "") === content ? `\${${name}}` : all));
    } else for (const child of Object.values(node)) visit(child, typeof node["originalText"] === "string" ? node : within);
    // A number with a base is parsed from the text only.
    const text = node["originalText"];
    if (typeof text === "string") node["originalText"] = text.replaceAll(/\b(\d+#)\$\{([A-Za-z_]\w*)\}/g, "$1$$$2");
  };
  visit(command.type === "For" ? command.words : command);
  return reads.length === 0 ? command : { type: "Group", body: [...reads, single(command)], redirections: [] };
}

/** The assignment `name=${content}`, run by `eval`, because the content of the braces must be parsed. */
function assigning(name: string, content: string): Statement {
  const word = (value: string): Word => ({ type: "Word", parts: [{ type: "SingleQuoted", value }] });
  const command: Simple = {
    type: "SimpleCommand",
    assignments: [],
    name: { type: "Word", parts: [{ type: "Literal", value: "eval" }] },
    args: [word(`${name}=\${${content}}`)],
    redirections: [],
  };
  return single(command);
}
