import type { Bash } from "just-bash/browser";

type Plugin = Parameters<Bash["registerTransformPlugin"]>[0];
export type Script = Parameters<Plugin["transform"]>[0]["ast"];
export type Statement = Script["statements"][number];
export type Pipeline = Statement["pipelines"][number];
export type Command = Pipeline["commands"][number];
export type FunctionDef = Extract<Command, { readonly type: "FunctionDef" }>;
export type Simple = Extract<Command, { readonly type: "SimpleCommand" }>;
export type For = Extract<Command, { readonly type: "For" }>;

export type Word = NonNullable<Simple["name"]>;

export type Part = Word["parts"][number];

export function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Whether there is a substitution of commands in the node. */
export function runsCommands(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(runsCommands);
  if (!isNode(node)) return false;
  return node["type"] === "CommandSubstitution" || node["type"] === "ProcessSubstitution" || Object.values(node).some(runsCommands);
}

export function literal(name: unknown): string | null {
  if (!isNode(name) || !Array.isArray(name["parts"]) || name["parts"].length !== 1) return null;
  const part: unknown = name["parts"][0];
  return isNode(part) && part["type"] === "Literal" && typeof part["value"] === "string" ? part["value"] : null;
}

export function word(value: string): Word {
  return { type: "Word", parts: [{ type: "Literal", value }] };
}

export function parameter(name: string): Extract<Part, { readonly type: "ParameterExpansion" }> {
  return { type: "ParameterExpansion", parameter: name, operation: null };
}

export function single(command: Command): Statement {
  return { type: "Statement", pipelines: [{ type: "Pipeline", commands: [command], negated: false }], operators: [], background: false };
}
