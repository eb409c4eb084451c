import { readFileSync } from "node:fs";
import { parseSync, type Plugin } from "vite";

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number };

/**
 * Inlines constant texts in components: `{t.save}`, of `import * as t from "../texts/docs.ts"`, becomes `{"Save"}`. The component compiler treats
 * every member of an object as something that may change and would write it with an effect, each time it is used. A literal text becomes part of
 * the element's template instead. This plugin has to run before that compiler.
 * It ignores scopes: the linter forbids shadowing an import.
 */
export function textsInPlace(): Plugin {
  return {
    name: "texts-in-place",
    enforce: "pre",
    async transform(code, id) {
      const file = id.replace(/\?.*/, "");
      if (!file.endsWith(".tsx") || !code.includes("/texts/")) return null;
      const { program } = parseSync(file, code);
      const texts = new Map<string, ReadonlyMap<string, string>>();
      for (const { local, source } of namespaces(program.body)) {
        const found = await this.resolve(source, id);
        if (found === null) continue;
        this.addWatchFile(found.id);
        texts.set(local, constantsOf(found.id));
      }
      return texts.size > 0 ? { code: inPlace(code, program, texts), map: null } : null;
    },
  };
}

/** The local names of `import * as local from source`, if the source is a file of texts. */
function namespaces(body: ReturnType<typeof parseSync>["program"]["body"]) {
  return body.flatMap((statement) => {
    if (statement.type !== "ImportDeclaration" || !/\/texts\/[\w-]+\.ts$/.test(statement.source.value)) return [];
    return statement.specifiers.flatMap((specifier) =>
      specifier.type === "ImportNamespaceSpecifier" ? [{ local: specifier.local.name, source: statement.source.value }] : [],
    );
  });
}

/** Characters that a template would change. */
const unusual = /[\0\f\r]/;

/** The texts of a file that are single strings, by name. */
export function constantsOf(file: string): ReadonlyMap<string, string> {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const constants = new Map<string, string>();
  for (const statement of program.body) {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration?.type !== "VariableDeclaration") continue;
    if (statement.declaration.kind !== "const") continue;
    for (const { id, init } of statement.declaration.declarations) {
      if (id.type === "Identifier" && init?.type === "Literal" && typeof init.value === "string" && !unusual.test(init.value))
        constants.set(id.name, init.value);
    }
  }
  return constants;
}

function inPlace(code: string, program: unknown, texts: ReadonlyMap<string, ReadonlyMap<string, string>>): string {
  const places: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  function look(node: unknown): void {
    if (Array.isArray(node)) for (const one of node) look(one);
    else if (isNode(node)) {
      const text = textOf(node, texts);
      if (text === undefined) Object.values(node).forEach(look);
      else places.push({ start: node.start, end: node.end, text });
    }
  }
  look(program);
  let placed = "";
  let from = 0;
  for (const { start, end, text } of places.toSorted((a, b) => a.start - b.start)) {
    placed += code.slice(from, start) + JSON.stringify(text);
    from = end;
  }
  return placed + code.slice(from);
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

function textOf(node: Node, texts: ReadonlyMap<string, ReadonlyMap<string, string>>): string | undefined {
  if (node.type !== "MemberExpression" || node["computed"] === true) return undefined;
  const [object, property] = [node["object"], node["property"]];
  if (!isNode(object) || object.type !== "Identifier" || !isNode(property)) return undefined;
  return texts.get(String(object["name"]))?.get(String(property["name"]));
}
