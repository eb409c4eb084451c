/** A subscript of an expression, replaced by a variable of that name. */
export interface Subscript {
  readonly name: string;
  readonly text: string;
}

/** Subscripts that just-bash's parser reads the same way as a number and as a key. */
const plain = /^(?:\w+|"\$\w+"|\$\w+)$/;

/**
 * Replaces the subscripts of arrays by variables, because only the type of the array says whether `a-b` is a difference or a key. Leaves plain
 * subscripts as they are.
 */
export function withSubscripts(text: string): { readonly text: string; readonly subscripts: readonly Subscript[] } {
  const subscripts: Subscript[] = [];
  let bare = "";
  let from = 0;
  for (let at = 0; text.includes("[") && at < text.length; ) {
    name.lastIndex = at;
    const [found] = name.exec(text) ?? [];
    if (found === undefined) {
      at = afterPart(text, at);
      continue;
    }
    at += found.length;
    if (text[at] !== "[") continue;
    const end = endOf(text, at);
    const inner = text.slice(at + 1, end - 1);
    if (!plain.test(inner) && inner !== "") {
      const variable = `__vibey_subscript_${subscripts.length}`;
      subscripts.push({ name: variable, text: inner });
      bare += `${text.slice(from, at + 1)}${variable}`;
      from = end - 1;
    }
    at = end;
  }
  return { text: bare + text.slice(from), subscripts };
}

const name = /[A-Za-z_]\w*/y;

/** The word that a key is expanded as, without splitting; null: it has nothing to expand. */
export function wordOfKey(key: string): string | null {
  if (!/[$`"'\\]/.test(key)) return null;
  let word = "";
  for (let at = 0; at < key.length; ) {
    const end = afterPart(key, at);
    const part = key.slice(at, end);
    word += /[$`"'\\\w]/.test(part.charAt(0)) ? part : `'${part}'`;
    at = end;
  }
  return word;
}

export function readKey(node: Record<string, unknown>): void {
  const { type, parameter: given } = node;
  if (type === "ParameterExpansion" && typeof given === "string") node["parameter"] = withBraces(given);
}

/** Puts braces around the parameters in the key of `${map[$1]}`, because just-bash only expands names and braces there. */
export function withBraces(parameter: string): string {
  if (!parameter.includes("[")) return parameter;
  return parameter.replaceAll(/\\.|'[^']*'|\$([\d#?])/gs, (all, special?: string) => (special === undefined ? all : `\${${special}}`));
}

const closing: Readonly<Record<string, string | undefined>> = { "{": "}", "(": ")", "[": "]" };

/** The position after the bracket that closes the one here, or the end of the text. */
function endOf(text: string, start: number): number {
  const close = closing[text.charAt(start)];
  for (let at = start + 1; at < text.length; ) {
    const character = text.charAt(at);
    if (character === close) return at + 1;
    at = character === text.charAt(start) ? endOf(text, at) : afterPart(text, at);
  }
  return text.length;
}

/** The position after the quoted text, the expansion or the character here. */
function afterPart(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === "\\") return Math.min(at + 2, text.length);
  if (character === "'" || character === '"' || character === "`") {
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === "\\" && character !== "'") end++;
      else if (text[end] === character) return end + 1;
    }
    return text.length;
  }
  if (character !== "$") return at + 1;
  if (text[at + 1] === "{" || text[at + 1] === "(") return endOf(text, at + 1);
  parameter.lastIndex = at + 1;
  return at + 1 + (parameter.exec(text)?.[0].length ?? 0);
}

const parameter = /[A-Za-z_]\w*|[\d@*#?$!-]/y;
