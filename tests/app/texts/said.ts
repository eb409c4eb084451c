import { parseSync } from "vite";

/** A text for people found in code. */
export interface Said {
  readonly text: string;
  readonly line: number;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number };

/** Attributes of elements and components that a person reads: even a single letter in them is a text. */
const readAttribute =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|summary|note|why|hint|heading|caption|empty)$/;
/** Attributes that no one reads, whatever they contain. */
const unreadAttribute =
  /^(class|className|classList|style|type|id|for|name|d|points|viewBox|href|src|rel|sandbox|allow|accept|role|aria-(labelledby|describedby|controls|live|keyshortcuts))$/;
/** Calls whose strings are selectors, media queries or platform names. */
const unreadCall =
  /^(querySelector|querySelectorAll|closest|matches|matchMedia|addEventListener|removeEventListener|getElementById|getChild|getChildren|startsWith|endsWith)$/;

/** Stands for a template's substitution. It counts as a word. */
const filled = "\u{e000}";
const word = String.raw`[\p{L}\p{M}'’${filled}]`;
/** Two words, one of them longer than a letter or a substitution. */
const words = new RegExp(
  String.raw`\p{L}{2,}['’]?\p{L}*["”»)\]]?[,;:.!?…]? +["“«(\[]?${word}|${word}["”»)\]]?[,;:.!?…]? +["“«(\[]?\p{L}{2,}`,
  "u",
);
/** "Save", "Stop…", "gone." */
const label = /^(\p{Lu}\p{Ll}+[.:!?…]?|\p{L}{2,}[.:!?…])$/u;
/** Names of Vibey's stores, locks and channels: "vibey theme". */
const stored = /^vibey [a-z]/;
/** The platform's names for keys. */
const key = /^(Enter|Escape|Tab|Home|End|Backspace|Delete|Space|Control|Shift|Alt|Meta|Dead|Mod|Ctrl)$/;

/** Code for a page to run. */
const codeSigns = /[{}]|\);/;
/** "md-fold md-fold-closed": every word has a hyphen, as in class names and flags. */
const flags = new RegExp(
  String.raw`^([a-z\d${filled}]+(-[a-z\d${filled}]+)+|${filled})(\s+([a-z\d${filled}]+(-[a-z\d${filled}]+)+|${filled}))*$`,
  "u",
);

const looksSaid = (text: string) =>
  !key.test(text) &&
  !stored.test(text) &&
  !codeSigns.test(text) &&
  !flags.test(text.trim()) &&
  (words.test(text.replaceAll(/\s+/g, " ")) || label.test(text.trim()));

/** All texts for people in a module: JSX text, attributes that people read, and strings that look like words. */
export function saidIn(file: string, code: string): readonly Said[] {
  const { program, errors } = parseSync(file, code);
  if (errors[0]) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const found: Said[] = [];
  const add = (text: string, at: number) =>
    found.push({ text: text.replaceAll(filled, "${…}").trim(), line: code.slice(0, at).split("\n").length });
  /** `strict` is true inside an attribute that people read. */
  function look(node: Node, strict: boolean): void {
    const said = (text: string) => (strict ? /\p{L}/u.test(text) : looksSaid(text));
    switch (node.type) {
      case "JSXText":
        if (/\p{L}/u.test(String(node["value"]).replaceAll(/&\w+;/g, ""))) add(String(node["value"]), node.start);
        return;
      case "JSXAttribute": {
        const { name } = node["name"] as { name: unknown };
        const attribute = typeof name === "string" ? name : "";
        if (!unreadAttribute.test(attribute)) within(node["value"], readAttribute.test(attribute));
        return;
      }
      case "Literal":
        if (typeof node["value"] === "string" && said(node["value"])) add(node["value"], node.start);
        return;
      case "TemplateLiteral": {
        const pieces = (node["quasis"] as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked);
        const text = pieces.join(filled);
        if (strict ? pieces.some((piece) => /\p{L}/u.test(piece)) : looksSaid(text)) add(text, node.start);
        within(node["expressions"], false);
        return;
      }
      case "ImportDeclaration":
      case "ImportExpression":
      case "ExportAllDeclaration":
      case "TSTypeAliasDeclaration":
      case "TSInterfaceDeclaration":
      case "TSTypeAnnotation":
      case "TSTypeParameterInstantiation":
      case "TSLiteralType":
      case "TSUnionType":
        return;
      case "ThrowStatement":
        // A programmer's error, which users of the page never see.
        return;
      case "CallExpression": {
        within(node["callee"], false);
        if (!isConsole(node["callee"]) && !unreadCall.test(nameOf(node["callee"]))) within(node["arguments"], false);
        return;
      }
      case "TaggedTemplateExpression":
        // Part of a regular expression.
        if (nameOf(node["tag"]) === "raw") return;
        break;
      case "ExpressionStatement":
        if (typeof node["directive"] === "string") return;
        break;
      case "Property":
        if (node["computed"] === true) within(node["key"], false);
        within(node["value"], strict);
        return;
      // A condition is not a text.
      case "ConditionalExpression":
        within(node["test"], false);
        within([node["consequent"], node["alternate"]], strict);
        return;
      case "BinaryExpression":
        if (node["operator"] === "+") within([node["left"], node["right"]], strict);
        else within([node["left"], node["right"]].filter(isNoLiteral), false);
        return;
      case "SwitchCase":
        within(node["consequent"], false);
        return;
      case "AssignmentExpression":
        if (!unreadAttribute.test(nameOf(node["left"]))) within(node["right"], strict);
        return;
      default:
    }
    for (const [name, child] of Object.entries(node)) if (name !== "type") within(child, strict && node.type !== "MemberExpression");
  }
  function within(child: unknown, strict: boolean): void {
    if (Array.isArray(child)) for (const one of child) within(one, strict);
    else if (typeof child === "object" && child !== null && "type" in child) look(child as Node, strict);
  }
  within(program, false);
  return found;
}

/** Console messages are for developers looking for an error. */
const isConsole = (callee: unknown) => (callee as { object?: { name?: string } }).object?.name === "console";

const isNoLiteral = (operand: unknown) => (operand as Node).type !== "Literal";

/** The last name in a called expression: "matches" of `element.matches`. */
function nameOf(callee: unknown): string {
  const node = callee as { name?: string; property?: { name?: string } };
  return node.name ?? node.property?.name ?? "";
}
