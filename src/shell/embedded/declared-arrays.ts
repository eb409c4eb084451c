import type { Interpreter } from "./running-script.ts";

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Prints arrays as `declare -p` of bash does; just-bash lacks quotes and attributes. Null: it is another command, or not only for arrays. */
export function printArrays({ ctx: { state } }: Interpreter, [flag, ...names]: readonly string[]): Output | null {
  if (flag !== "-p" || names.length === 0) return null;
  const arrays: unknown = Reflect.get(state, "arrays");
  const lines = names.map((name) => {
    const array: unknown = arrays instanceof Map ? arrays.get(name) : undefined;
    const elements: unknown = Reflect.get(Object(array), "elements");
    if (!(elements instanceof Map) || isIn(state, "namerefs", name)) return null;
    const isMap = Reflect.get(Object(array), "kind") === "associative";
    const all = [...elements].map(([key, value]) => [String(key), String(value)] as const);
    all.sort(([a], [b]) => (isMap ? Number(a > b) - Number(a < b) : Number(a) - Number(b)));
    const words = all.map(([key, value]) => `[${special.test(key) ? quoted(key) : key}]=${quoted(value)}`);
    const end = isMap && words.length > 0 ? " " : "";
    return `declare -${isMap ? "A" : "a"}${attributes(state, name)} ${name}=(${words.join(" ")}${end})\n`;
  });
  return lines.includes(null) ? null : { stdout: lines.join(""), stderr: "", exitCode: 0 };
}

/** In the order in which bash prints them. */
function attributes(state: object, name: string): string {
  const fields = { i: "integerVars", r: "readonlyVars", x: "exportedVars", l: "lowercaseVars", u: "uppercaseVars" };
  return Object.entries(fields)
    .flatMap(([letter, field]) => (isIn(state, field, name) ? [letter] : []))
    .join("");
}

function isIn(state: object, field: string, name: string): boolean {
  const names: unknown = Reflect.get(state, field);
  return names instanceof Set && names.has(name);
}

/** Characters of a key that bash quotes. */
// oxlint-disable-next-line no-control-regex -- control characters are meant.
const special = /[\s'"\\|&;()<>!{}*[?\]^$`\u0000-\u001f\u007f]|^[~#]|[=:]~/;

const escapes: Readonly<Record<string, string | undefined>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  "\b": "\\b",
  "\f": "\\f",
  "\v": "\\v",
  "\u0007": "\\a",
  "\u001b": "\\E",
  "\\": "\\\\",
  "'": "\\'",
};

function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are meant.
  const control = /[\u0000-\u001f\u007f]/;
  if (!control.test(text)) return `"${text.replaceAll(/[$`"\\]/g, "\\$&")}"`;
  const inside = Array.from(
    text,
    (each) => escapes[each] ?? (control.test(each) ? `\\${each.charCodeAt(0).toString(8).padStart(3, "0")}` : each),
  );
  return `$'${inside.join("")}'`;
}
