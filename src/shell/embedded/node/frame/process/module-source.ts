import { parse } from "acorn";
import { type Edit, edited, type Moved, movedBy } from "./edits.ts";
import { childrenOf, declaredIn, isFunction, isTree, patternNames, type Tree } from "./names-in-scope.ts";

/** An ES module turned into a function, with its imports and exports. */
export interface ModuleSource {
  /** The text of a generator function that yields what the module awaits at its top level. Line numbers stay the same. */
  readonly code: string;
  /** The number of characters before the module's own first one. */
  readonly shift: number;
  /** Where the module's text was changed. */
  readonly moved: Moved;
  /**
   * The kind of top-level await: `yields`: the awaited values are yielded; `asynchronous`: an asynchronous generator, for cases in which nothing can
   * be yielded.
   */
  readonly waits: "never" | "yields" | "asynchronous";
  /** In evaluation order. */
  readonly requests: readonly string[];
  /** `at`: the name's position in the text. */
  readonly imports: readonly { readonly request: number; readonly name: string; readonly at: number }[];
  /** By exported name: the module's own variable, or another module's export. `*`: that module's namespace object. */
  readonly exports: ReadonlyMap<string, Exported>;
  /** `export * from`. */
  readonly stars: readonly number[];
  /** Line and column of the first import of a request. */
  readonly requestPlace: (request: number) => string;
  /** The line and column of a position in the text, both from 1, and the line itself. */
  readonly placeOf: (at: number) => { readonly line: number; readonly column: number; readonly text: string };
}

type Exported = { readonly own: true } | { readonly own: false; readonly request: number; readonly name: string; readonly at: number };

/** The names of the function's parameters, chosen so that no program uses them by chance. */
const own = { modules: "__vibey_modules", exports: "__vibey_exports", meta: "__vibey_meta", fallback: "__vibey_default" } as const;

/**
 * Turns an ES module into a function. Its first step publishes its exports, so that modules in a cycle have each other's functions; the second step
 * runs it. Imports are read where they are used, from the other module's variables, so bindings are live, as the standard requires. `importStart`:
 * the text that replaces `import(`. Throws the parser's SyntaxError.
 */
export function moduleSource(code: string, importStart: string): ModuleSource {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same tree, with its fields accessible.
  const program = parse(code, { ecmaVersion: "latest", sourceType: "module", allowHashBang: true }) as unknown as Tree;
  const edits: Edit[] = [];
  const requests: string[] = [];
  const requestedAt: number[] = [];
  const imported = new Map<string, { readonly request: number; readonly name: string; readonly at: number }>();
  const imports: { readonly request: number; readonly name: string; readonly at: number }[] = [];
  const exports = new Map<string, Exported>();
  const getters: string[] = [];
  const locals: (readonly [exported: string, local: string])[] = [];
  const stars: number[] = [];
  let early = "";
  let last = "";

  const requestOf = (node: Tree): number => {
    const wanted = String(fieldOf(node["source"], "value"));
    const known = requests.indexOf(wanted);
    if (known >= 0) return known;
    requestedAt.push(node.start);
    return requests.push(wanted) - 1;
  };
  const blank = ({ start, end }: { readonly start: number; readonly end: number }): void =>
    void edits.push({ at: start, end, text: code.slice(start, end).replaceAll(/[^\n\r\u2028\u2029]/g, " ") });
  const give = (name: string, local: string): void => {
    exports.set(name, { own: true });
    getters.push(`${JSON.stringify(name)}: () => ${local}`);
  };

  const statements = childrenOf(program);
  for (const node of statements) {
    switch (node.type) {
      case "ImportDeclaration": {
        const request = requestOf(node);
        for (const each of listOf(node["specifiers"])) {
          const name =
            each.type === "ImportDefaultSpecifier" ? "default" : each.type === "ImportNamespaceSpecifier" ? "*" : nameOf(each["imported"]);
          const one = { request, name, at: each.start };
          imported.set(nameOf(each["local"]), one);
          imports.push(one);
        }
        blank(node);
        break;
      }
      case "ExportAllDeclaration": {
        const request = requestOf(node);
        if (isTree(node["exported"])) exports.set(nameOf(node["exported"]), { own: false, request, name: "*", at: node.start });
        else stars.push(request);
        blank(node);
        break;
      }
      case "ExportNamedDeclaration": {
        const { declaration, source } = node;
        if (isTree(declaration)) {
          blank({ start: node.start, end: declaration.start });
          const names =
            declaration.type === "VariableDeclaration"
              ? childrenOf(declaration).flatMap((each) => patternNames(each["id"]))
              : patternNames(declaration["id"]);
          for (const name of names) give(name, name);
          break;
        }
        for (const each of listOf(node["specifiers"])) {
          const [name, local] = [nameOf(each["exported"]), nameOf(each["local"])];
          if (isTree(source)) exports.set(name, { own: false, request: requestOf(node), name: local, at: each.start });
          else locals.push([name, local]);
        }
        if (isTree(source)) requestOf(node);
        blank(node);
        break;
      }
      case "ExportDefaultDeclaration":
        exportDefault(node);
        break;
    }
  }
  for (const [name, local] of locals) {
    const found = imported.get(local);
    if (found) exports.set(name, { own: false, ...found });
    else give(name, local);
  }

  /** An anonymous default export gets the name `default`. */
  function exportDefault(node: Tree): void {
    const declaration = node["declaration"];
    if (!isTree(declaration)) return;
    const isFunctionOrClass = declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration";
    if (isFunctionOrClass && isTree(declaration["id"])) {
      blank({ start: node.start, end: declaration.start });
      return give("default", nameOf(declaration["id"]));
    }
    give("default", own.fallback);
    const isNamed = `Object.defineProperty(${own.fallback}, "name", { value: "default", configurable: true }); `;
    if (declaration.type === "FunctionDeclaration") {
      blank({ start: node.start, end: declaration.start });
      const paren = code.indexOf("(", declaration.start);
      edits.push({ at: paren, end: paren, text: ` ${own.fallback}` });
      early += isNamed;
      return;
    }
    // The exported expression may be in parentheses, which the tree omits.
    const end = code.indexOf("default", node.start) + "default".length;
    edits.push({ at: node.start, end, text: `const ${own.fallback} = ${linesOf(code.slice(node.start, end))}` });
    if (declaration.type === "ClassDeclaration") edits.push({ at: declaration.end, end: declaration.end, text: ";" });
    if (isFunction(declaration) || declaration.type.startsWith("Class"))
      last += `if (${own.fallback}.name === "${own.fallback}") ${isNamed}`;
  }

  const waits = rewrite(program, { code, imported, importStart, edits });
  const start = `(${waits === "asynchronous" ? "async " : ""}function* (${own.modules}, ${own.exports}, ${own.meta}) { "use strict"; ${early}${own.exports}({ ${getters.join(", ")} }); yield; `;
  return {
    code: `${start}${edited(code, edits)}\n${last}})`,
    shift: start.length,
    moved: movedBy(code, edits),
    waits,
    requests,
    imports,
    exports,
    stars,
    placeOf: (at) => placeIn(code, at),
    requestPlace(request) {
      const { line, column } = placeIn(code, requestedAt[request] ?? 0);
      return `${line}:${column}`;
    },
  };
}

function placeIn(code: string, at: number): { readonly line: number; readonly column: number; readonly text: string } {
  const lines = code.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1, text: code.split("\n")[lines.length - 1] ?? "" };
}

interface Rewriting {
  readonly code: string;
  readonly imported: ReadonlyMap<string, { readonly request: number; readonly name: string }>;
  readonly importStart: string;
  readonly edits: Edit[];
}

/** Replaces what a function can't contain: imported names, `import()`, `import.meta` and top-level awaits. */
function rewrite(program: Tree, { code, imported, importStart, edits }: Rewriting): ModuleSource["waits"] {
  const awaits: Edit[] = [];
  const found: { waits: ModuleSource["waits"] } = { waits: "never" };
  const statementLists = new Set(["Program", "BlockStatement", "StaticBlock", "SwitchCase"]);

  const placeOf = (name: string): string => {
    const place = imported.get(name);
    if (!place) return name;
    const module = `${own.modules}[${place.request}]`;
    return place.name === "*"
      ? `${module}["*"]`
      : /^[A-Za-z_$][\w$]*$/.test(place.name)
        ? `${module}.${place.name}`
        : `${module}[${JSON.stringify(place.name)}]`;
  };

  /** `statement`: the start of the statement in a list if the node is at its beginning. */
  function visit(node: Tree, hidden: ReadonlySet<string>, inFunction: boolean, statement: number): void {
    if (node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration") return;
    if (node.type === "ExportNamedDeclaration") {
      if (isTree(node["declaration"])) visit(node["declaration"], hidden, inFunction, -1);
      return;
    }
    if (!inFunction && node.type === "AwaitExpression") {
      if (found.waits === "never") found.waits = "yields";
      const before = node.start === statement ? ";" : "";
      awaits.push(
        { at: node.start, end: node.start + "await".length, text: `${before}(yield (` },
        { at: node.end, end: node.end, text: "))" },
      );
    }
    if (!inFunction && ((node.type === "ForOfStatement" && node["await"] === true) || node["kind"] === "await using"))
      found.waits = "asynchronous";
    if (node.type === "ImportExpression") edits.push({ at: node.start, end: code.indexOf("(", node.start) + 1, text: importStart });
    if (node.type === "MetaProperty") {
      if (fieldOf(node["meta"], "name") === "import") edits.push({ at: node.start, end: node.end, text: own.meta });
      return;
    }
    if (node.type === "Identifier") {
      const name = nameOf(node);
      if (imported.has(name) && !hidden.has(name)) edits.push({ at: node.start, end: node.end, text: placeOf(name) });
      return;
    }
    if ((node.type === "CallExpression" || node.type === "TaggedTemplateExpression") && replaceCallee(node, hidden, statement)) {
      for (const each of childrenOf(node)) if (each !== node["callee"] && each !== node["tag"]) visit(each, hidden, inFunction, -1);
      return;
    }
    const declared = imported.size === 0 ? [] : declaredIn(node).filter((name) => imported.has(name));
    const inner = declared.length === 0 ? hidden : new Set([...hidden, ...declared]);
    const inside = inFunction || isFunction(node) || node.type === "StaticBlock" || node.type === "PropertyDefinition";
    const isList = statementLists.has(node.type);
    for (const each of childrenOf(node)) {
      if (isOnlyName(node, each)) continue;
      if (node.type === "Property" && node["shorthand"] === true) {
        shorthand(node, inner, inside);
        break;
      }
      visit(each, inner, inside, isList && each.type === "ExpressionStatement" ? each.start : each.start === statement ? statement : -1);
    }
  }

  /** An imported function is called without the module as its `this`. */
  function replaceCallee(node: Tree, hidden: ReadonlySet<string>, statement: number): boolean {
    const callee = node["callee"] ?? node["tag"];
    if (!isTree(callee) || callee.type !== "Identifier" || !imported.has(nameOf(callee)) || hidden.has(nameOf(callee))) return false;
    // The line before may end without a semicolon, and would take the parenthesis as its continuation.
    edits.push({ at: callee.start, end: callee.end, text: `${callee.start === statement ? ";" : ""}(0, ${placeOf(nameOf(callee))})` });
    return true;
  }

  /** Handles `{ a }` with an imported `a`. */
  function shorthand(node: Tree, hidden: ReadonlySet<string>, inFunction: boolean): void {
    const { value } = node;
    if (!isTree(value)) return;
    if (value.type === "Identifier") {
      const name = nameOf(value);
      if (imported.has(name) && !hidden.has(name)) edits.push({ at: value.start, end: value.end, text: `${name}: ${placeOf(name)}` });
    } else if (isTree(value["right"])) visit(value["right"], hidden, inFunction, -1);
  }

  visit(program, new Set(), false, -1);
  if (found.waits === "yields") edits.push(...awaits);
  return found.waits;
}

/** Whether the name is not a variable: a key, a label, a property. */
function isOnlyName(parent: Tree, child: Tree): boolean {
  switch (parent.type) {
    case "MemberExpression":
      return child === parent["property"] && parent["computed"] !== true;
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return child === parent["key"] && parent["computed"] !== true && parent["shorthand"] !== true;
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return child === parent["label"];
    default:
      return false;
  }
}

const listOf = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.filter(isTree) : []);
const fieldOf = (node: unknown, name: string): unknown => (isTree(node) ? node[name] : undefined);
/** A name, or the text that replaces one. */
const nameOf = (node: unknown): string => String(fieldOf(node, "name") ?? fieldOf(node, "value"));
const linesOf = (text: string): string => text.replaceAll(/[^\n\r\u2028\u2029]/g, "");
