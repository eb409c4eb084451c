import { type Command, type For, isNode, type Simple, single, type Statement, type Word } from "./script-nodes.ts";

/** What `${…}` becomes in arithmetic. */
const variable = "__vibey_number";

/** In arithmetic just-bash knows `${name}`, `${#name[@]}`, `${name[1]}` and a plain word after `${name:-`; another one is 0 there. */
const known = /^(?:\w+|#[A-Za-z_]\w*(?:\[[@*]\])?|[A-Za-z_]\w*\[(?:[@*]|\w+)\]|![A-Za-z_]\w*|[#?$!@*-]|\w+:?[-+=?][^$`"'\\[\]{}]*)$/;

type Arithmetic = Extract<Command, { readonly type: "ArithmeticCommand" }>;
type Conditional = Extract<Command, { readonly type: "ConditionalCommand" }>;

/** The command, after assignments of what its arithmetic has in braces (`$((${map[$key]:-0} + 1))`), where just-bash would take that for 0. */
export function withArithmetic(command: Simple | For | Arithmetic | Conditional): Command {
  const reads: Statement[] = [];
  /** `within`: the expression, whose text is read again where it has variables. */
  const visit = (node: unknown, within: Record<string, unknown> | null = null): void => {
    if (Array.isArray(node)) for (const child of node) visit(child, within);
    // These have commands of their own.
    if (!isNode(node) || node["type"] === "CommandSubstitution" || node["type"] === "ProcessSubstitution") return;
    // What is read before the command is read in any case, also where the command would not come to it.
    if (node["type"] === "ParameterExpansion" || node["type"] === "CondAnd" || node["type"] === "CondOr") return;
    const content = node["type"] === "ArithBracedExpansion" ? String(node["content"]) : null;
    if (content !== null && !known.test(content) && !content.includes("$?")) {
      const name = `${variable}_${reads.length}`;
      reads.push(assigning(name, content));
      node["content"] = name;
      if (typeof within?.["originalText"] === "string")
        within["originalText"] = within["originalText"]
          .replace(`\${${content}}`, () => `\${${name}}`)
          // The parser leaves out the quotes of a key.
          .replaceAll(/\$\{([^{}]*)\}/g, (all, inner: string) => (inner.replaceAll(/["']/g, "") === content ? `\${${name}}` : all));
    } else for (const child of Object.values(node)) visit(child, typeof node["originalText"] === "string" ? node : within);
    // A number with a base is read from the text alone.
    const text = node["originalText"];
    if (typeof text === "string") node["originalText"] = text.replaceAll(/\b(\d+#)\$\{([A-Za-z_]\w*)\}/g, "$1$$$2");
  };
  visit(command.type === "For" ? command.words : command);
  return reads.length === 0 ? command : { type: "Group", body: [...reads, single(command)], redirections: [] };
}

/** `name=${content}`, which is read by `eval`, as a parser has to read what stands in the braces. */
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
