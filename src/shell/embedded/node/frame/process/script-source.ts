import { parse } from "acorn";
import { type Edit, edited } from "./edits.ts";
import { childrenOf, isFunction, isTree, patternNames, type Tree } from "./names-in-scope.ts";

/** A script of a `vm` context, and the names that it declares for later scripts. */
export interface ScriptSource {
  /** The code with its declarations turned into assignments on the same lines: the names belong to the context. */
  readonly code: string;
  readonly functions: readonly string[];
  readonly variables: readonly string[];
  readonly lexical: readonly string[];
}

/** The function that a script first calls, with the functions that it declares. */
const declareName = "__vibey_declare";

/** Parses a script; throws its SyntaxError, with the position as `loc`. */
export function scriptSource(code: string): ScriptSource {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same tree, with its fields accessible.
  const program = parse(code, { ecmaVersion: "latest", allowHashBang: true }) as unknown as Tree;
  const functions = new Set<string>();
  const variables = new Set<string>();
  const lexical = new Set<string>();
  const edits: Edit[] = [];

  /** Turns `let a = 1, b;` into `void (a = 1, b = undefined);`. A statement that begins with `void` never continues the line before. */
  function assign(declaration: Tree, names: Set<string>, inHead: boolean): void {
    const declarators = childrenOf(declaration);
    for (const { id } of declarators) for (const name of patternNames(id)) names.add(name);
    const [first] = declarators;
    if (first === undefined) return;
    edits.push({ at: declaration.start, end: first.start, text: inHead ? "" : "void (" });
    if (inHead) return;
    for (const each of declarators)
      if (declaration["kind"] !== "var" && !isTree(each["init"])) edits.push({ at: each.end, end: each.end, text: " = undefined" });
    const ends = code[declaration.end - 1] === ";";
    edits.push({ at: ends ? declaration.end - 1 : declaration.end, end: declaration.end, text: ");" });
  }

  function visit(node: Tree, parent: Tree | null): void {
    if (node.type === "VariableDeclaration" && node["kind"] === "var") {
      const inHead = parent !== null && (parent["init"] === node || parent["left"] === node);
      assign(node, variables, inHead);
    }
    for (const each of childrenOf(node)) if (!isFunction(each) && each.type !== "ClassBody") visit(each, node);
  }

  let directives = 0;
  for (const statement of childrenOf(program)) {
    if (typeof statement["directive"] === "string") directives = statement.end;
    if (statement.type === "FunctionDeclaration") for (const name of patternNames(statement["id"])) functions.add(name);
    else if (statement.type === "ClassDeclaration") {
      const [name = ""] = patternNames(statement["id"]);
      lexical.add(name);
      edits.push(
        { at: statement.start, end: statement.start, text: `void (${name} = ` },
        { at: statement.end, end: statement.end, text: ");" },
      );
    } else if (statement.type === "VariableDeclaration" && statement["kind"] !== "var") assign(statement, lexical, false);
    else visit(statement, program);
  }
  if (functions.size > 0)
    edits.push({
      at: directives,
      end: directives,
      text: `${directives > 0 ? ";" : ""} ${declareName}({ ${[...functions].join(", ")} }); `,
    });
  return {
    code: edited(code, edits),
    functions: [...functions],
    variables: [...variables].filter((name) => !functions.has(name)),
    lexical: [...lexical],
  };
}
