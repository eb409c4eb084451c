import { readFrontMatter } from "./front-matter.ts";
import { isKnownKey } from "./read-definition.ts";

/** What a form changes: by key as the file spells it; null takes the key away. */
export type DefinitionChange = Readonly<Record<string, Value | null>>;
type Value = string | number | boolean | readonly (string | Fields)[];
/** Such as a rule of `approval_rules`; what is undefined is left out. */
type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * The same file with these keys changed. Everything else stays as it is, to the byte: comments, order, line ends, and keys that mean
 * nothing here. A key that isn't there is added at the end of the front matter. One that is a mapping in braces, or indented, becomes lines.
 */
export function editDefinition(text: string, change: DefinitionChange): string {
  return Object.entries(change).reduce((changed, [key, value]) => editKey(changed, key, value), text);
}

/** A mapping becomes lines, which may still have no key that begins one, such as an empty one. */
function inLines(text: string, eol: string): string {
  const { block, entries, isWhole } = readFrontMatter(text, isKnownKey);
  if (!isWhole || block === null) return text;
  const lines = [...entries].map(([name, one]) => `${JSON.stringify(name)}: ${JSON.stringify(one.value)}${eol}`);
  return `${text.slice(0, block.from)}${lines.join("")}${text.slice(block.to)}`;
}

function editKey(given: string, key: string, value: Value | null): string {
  const eol = /\r\n?|\n/.exec(given)?.[0] ?? "\n";
  const text = inLines(given, eol);
  const { block, entries, problems } = readFrontMatter(text, isKnownKey);
  const entry = entries.get(key);
  if (value === null) return entry ? text.slice(0, entry.from) + text.slice(entry.to) : text;
  const line = `${key}: ${yamlOf(value)}`;
  if (entry) {
    const end = /(?:\r\n?|\n)$/.exec(text.slice(entry.from, entry.to))?.[0] ?? "";
    return `${text.slice(0, entry.from)}${line}${end}${text.slice(entry.to)}`;
  }
  if (block) {
    // Behind a value that isn't valid, an unknown key would be taken for a line of it.
    const at = isKnownKey(key) || problems.length === 0 ? block.to : block.from;
    return `${text.slice(0, at)}${line}${eol}${text.slice(at)}`;
  }
  const [mark = ""] = /^\uFEFF?/.exec(text) ?? [];
  return `${mark}---${eol}${line}${eol}---${eol}${eol}${text.slice(mark.length)}`;
}

function yamlOf(value: Value): string {
  if (typeof value === "string") return yamlText(value);
  if (typeof value !== "object") return String(value);
  return `[${value.map((one) => (typeof one === "string" ? yamlText(one) : yamlMapping(one))).join(", ")}]`;
}

function yamlMapping(fields: Fields): string {
  const parts = Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${yamlOf(value)}`]));
  return `{${parts.join(", ")}}`;
}

/** Words that YAML, or an older YAML, takes for something else than a text. */
const special = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;

/** Plain where that can't be read as anything else. */
function yamlText(text: string): string {
  const isPlain = /^[A-Za-z](?:[\w ./()'@+-]*[\w./)'+-])?$/.test(text) && !special.test(text);
  return isPlain
    ? text
    : JSON.stringify(text).replaceAll(
        /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
}
