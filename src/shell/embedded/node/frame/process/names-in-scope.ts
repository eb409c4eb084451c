import type { Node } from "acorn";

/** A node of a syntax tree, with its fields. */
export type Tree = Node & Readonly<Record<string, unknown>>;

export const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "type") === "string";

/** The direct child nodes. */
export function childrenOf(node: Tree): readonly Tree[] {
  const found: Tree[] = [];
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isTree(each)) found.push(each);
  }
  return found;
}

const functions = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);
export const isFunction = (node: Tree): boolean => functions.has(node.type);

const nameOf = (identifier: unknown): string => (isTree(identifier) && typeof identifier["name"] === "string" ? identifier["name"] : "");

/** The names that a pattern binds. */
export function patternNames(pattern: unknown, names: string[] = []): string[] {
  if (!isTree(pattern)) return names;
  switch (pattern.type) {
    case "Identifier":
      names.push(nameOf(pattern));
      break;
    case "ObjectPattern":
      for (const each of childrenOf(pattern)) patternNames(each.type === "Property" ? each["value"] : each, names);
      break;
    case "ArrayPattern":
      for (const each of childrenOf(pattern)) patternNames(each, names);
      break;
    case "AssignmentPattern":
      patternNames(pattern["left"], names);
      break;
    case "RestElement":
      patternNames(pattern["argument"], names);
      break;
  }
  return names;
}

function declaratorNames(declaration: Tree, names: string[]): void {
  for (const each of childrenOf(declaration)) patternNames(each["id"], names);
}

/** The names that `let`, `const`, `class` and `function` declare directly in these statements. */
function lexicalNames(statements: readonly Tree[], names: string[]): void {
  for (const each of statements) {
    if (each.type === "VariableDeclaration" && each["kind"] !== "var") declaratorNames(each, names);
    else if (each.type === "FunctionDeclaration" || each.type === "ClassDeclaration") patternNames(each["id"], names);
  }
}

/** The names that `var` declares anywhere below, except in nested functions. */
function hoistedNames(node: Tree, names: string[]): void {
  for (const each of childrenOf(node)) {
    if (isFunction(each) || each.type === "ClassBody") continue;
    if (each.type === "VariableDeclaration" && each["kind"] === "var") declaratorNames(each, names);
    hoistedNames(each, names);
  }
}

/** The names that a node binds for its content. */
export function declaredIn(node: Tree): string[] {
  const names: string[] = [];
  if (isFunction(node)) {
    const { params, body } = node;
    if (node.type === "FunctionExpression") patternNames(node["id"], names);
    if (Array.isArray(params)) for (const each of params) patternNames(each, names);
    if (isTree(body)) hoistedNames(body, names);
    return names;
  }
  switch (node.type) {
    case "BlockStatement":
    case "StaticBlock":
      lexicalNames(childrenOf(node), names);
      if (node.type === "StaticBlock") hoistedNames(node, names);
      break;
    case "SwitchStatement":
      for (const each of childrenOf(node)) if (each.type === "SwitchCase") lexicalNames(childrenOf(each), names);
      break;
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
      for (const each of [node["init"], node["left"]]) if (isTree(each)) lexicalNames([each], names);
      break;
    case "CatchClause":
      patternNames(node["param"], names);
      break;
    case "ClassExpression":
    case "ClassDeclaration":
      patternNames(node["id"], names);
      break;
  }
  return names;
}
