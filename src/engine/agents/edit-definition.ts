import { readFrontMatter } from "./front-matter.ts";
import { isKnownKey } from "./read-definition.ts";

/** The changes of a form, by key as the file spells it. Null removes the key. */
export type DefinitionChange = Readonly<Record<string, Value | null>>;
type Value = string | number | boolean | readonly (string | Fields)[];
/** For example a rule of `approval_rules`. Undefined fields are left out. */
type Fields = Readonly<Record<string, string | number | undefined>>;

/**
 * The same file with these keys changed. Everything else stays the same, byte for byte: comments, order, line endings, and unknown keys. A
 * missing key is added at the end of the front matter. Front matter that is one mapping, in braces or indented, is rewritten as lines.
 */
export function editDefinition(text: string, change: DefinitionChange): string {
  return Object.entries(change).reduce((changed, [key, value]) => editKey(changed, key, value), text);
}

/** Rewrites a whole mapping as lines. No line may begin with a key, for example if the mapping is empty. */
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
    // After an invalid value, an unknown key would be read as part of that value.
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

/** Words that YAML, or an older YAML, doesn't read as text. */
const special = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;

/** Plain text if it can't be read as anything else, otherwise quoted. */
function yamlText(text: string): string {
  const isPlain = /^[A-Za-z](?:[\w ./()'@+-]*[\w./)'+-])?$/.test(text) && !special.test(text);
  return isPlain
    ? text
    : JSON.stringify(text).replaceAll(
        /[\u007F-\u009F\u2028\u2029\uFEFF]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
}
