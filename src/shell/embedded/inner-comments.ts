// just-bash looks for the end of `$(…)` twice: once without knowing comments, and once with comments that begin after any sign or digit, as in `$#`.

/** A comment whose text just-bash may take for quotes or parentheses. */
const candidate = /(?:^|[\s;&|()`])#[^\n]*['"`()\\]/;
const substitution = /[$<>]\(/;
/** A `#` that just-bash may take for the beginning of a comment. */
const sign = /[^\s\w;&|()`]#|\d#/;

/** Whether the script may have such a comment. */
export function mayHaveInnerComments(script: string): boolean {
  return candidate.test(script) && substitution.test(script);
}

/**
 * The script with the comments inside `$(…)`, `<(…)` and `>(…)` filled with this character. Its length and its lines stay the same. Text that only
 * looks like a comment may be filled, too, if the script has a mistake: a caller must check that the parser ignores it, whatever it is filled with.
 */
export function withInnerComments(script: string, filling: string): string {
  let filled = "";
  let from = 0;
  for (const [start, end] of innerSigns(script).comments) {
    filled += script.slice(from, start) + "#".padEnd(end - start, filling);
    from = end;
  }
  return filled + script.slice(from);
}

/** The script with each `#` inside `$(…)` that is no comment written so that just-bash doesn't take it for one: `${#}`, `\#` or, in arithmetic, `"16#ff"`. */
export function withInnerSigns(script: string): string {
  if (!sign.test(script) || !substitution.test(script)) return script;
  let edited = "";
  let from = 0;
  for (const [start, end, text] of innerSigns(script).signs) {
    edited += script.slice(from, start) + text;
    from = end;
  }
  return edited + script.slice(from);
}

type Kind = "commands" | "substitution" | "group" | "ticks" | "quotes" | "braces" | "arithmetic";

interface Level {
  readonly kind: Kind;
  /** The number of open `case` commands, whose patterns end in a parenthesis. */
  cases: number;
}

const commandKinds = new Set<Kind>(["commands", "substitution", "group", "ticks"]);

interface Found {
  readonly comments: (readonly [start: number, end: number])[];
  /** Each `#` that is no comment, with its word where that matters, and what can stand there instead. */
  readonly signs: (readonly [start: number, end: number, text: string])[];
}

function innerSigns(script: string): Found {
  const found: Found = { comments: [], signs: [] };
  const levels: Level[] = [{ kind: "commands", cases: 0 }];
  let documents: readonly string[] = [];
  let at = 0;
  const open = (kind: Kind, length: number): void => {
    levels.push({ kind, cases: 0 });
    at += length;
  };
  const close = (length: number): void => {
    if (levels.length > 1) levels.pop();
    at += length;
  };
  while (at < script.length) {
    const level = levels.at(-1);
    if (level === undefined) return found;
    const character = script.charAt(at);
    const isCommand = commandKinds.has(level.kind);
    if (character === "\\") at += 2;
    else if (character === "'" && (isCommand || (level.kind === "braces" && levels.at(-2)?.kind !== "quotes"))) at = afterQuote(script, at);
    else if (character === '"' && level.kind === "quotes") close(1);
    else if (character === '"') open("quotes", 1);
    else if (character === "`" && level.kind === "ticks") close(1);
    else if (character === "`") open("ticks", 1);
    else if (/^\$[$?!@*-]/.test(script.slice(at, at + 2))) at += 2;
    else if (script.startsWith("$((", at)) open("arithmetic", 3);
    else if (script.startsWith("$(", at) || (isCommand && /^[<>]\($/.test(script.slice(at, at + 2)))) open("substitution", 2);
    else if (script.startsWith("${", at)) open("braces", 2);
    else if (level.kind === "braces" && character === "}") close(1);
    else if (level.kind === "arithmetic" && script.startsWith("))", at)) close(2);
    else if (script.startsWith("$#", at)) {
      if (readsAsComment(levels)) found.signs.push([at, at + 2, "${#}"]);
      at += 2;
    } else if (level.kind === "arithmetic" && readsAsComment(levels) && number(script, at) !== "") {
      const text = number(script, at);
      found.signs.push([at, at + text.length, `"${text}"`]);
      at += text.length;
    } else if (character === "#" && /[^\s;&|()`A-Za-z_]/.test(script.charAt(at - 1)) && (isCommand || level.kind === "quotes")) {
      if (readsAsComment(levels)) found.signs.push([at, at + 1, isCommand ? "\\#" : '"\\#"']);
      at++;
    } else if (!isCommand) at++;
    else if (character === "(") open("group", 1);
    else if (character === ")") {
      if (level.kind === "commands" || level.kind === "ticks" || level.cases > 0) at++;
      else close(1);
    } else if (character === "#" && (at === 0 || /[\s;&|()`]/.test(script.charAt(at - 1)))) {
      const end = endOfLine(script, at);
      if (levels.some(({ kind }) => kind === "substitution") && level.kind !== "ticks") found.comments.push([at, end]);
      at = end;
    } else if (character === "\n") {
      at = afterDocuments(script, at + 1, documents);
      documents = [];
    } else if (script.startsWith("<<", at) && !script.startsWith("<<<", at)) {
      here.lastIndex = at;
      const [text = "<<", mark, delimiter] = here.exec(script) ?? [];
      if (delimiter !== undefined) documents = [...documents, `${mark ?? ""}${delimiter.replaceAll(/["'\\]/g, "")}`];
      at += text.length;
    } else if (script.startsWith("<<<", at)) at += 3;
    else {
      words.lastIndex = at;
      const word = words.exec(script)?.[0] ?? character;
      if (word === "case") level.cases++;
      if (word === "esac" && level.cases > 0) level.cases--;
      at += word.length;
    }
  }
  return found;
}

/** Whether just-bash looks for comments here: in `$(…)`, except in `${…}`, and in quotes inside quotes, which it takes for their ends. */
function readsAsComment(levels: readonly Level[]): boolean {
  const kinds = levels.map(({ kind }) => kind);
  const first = kinds.findIndex((kind) => kind === "substitution" || kind === "arithmetic");
  const isOutside =
    !["quotes", "arithmetic"].includes(kinds.at(-1) ?? "") || kinds.slice(first).filter((kind) => kind === "quotes").length % 2 === 0;
  return kinds[first] === "substitution" && !kinds.includes("braces", first) && isOutside;
}

/** The number with a base that begins here, such as `16#ff`, or the empty string. */
function number(script: string, at: number): string {
  numbers.lastIndex = at;
  return /\w/.test(script.charAt(at - 1)) ? "" : (numbers.exec(script)?.[0] ?? "");
}

const numbers = /\d+#(?:[\w@]+|\$\w+|\$\{\w+\})/y;
const here = /<<(-?)[ \t]*((?:"[^"\n]*"|'[^'\n]*'|\\.|[^\s;&|<>()"'\\])+)/y;
const words = /[\w./=:@%+,-]+/y;

function endOfLine(script: string, at: number): number {
  const end = script.indexOf("\n", at);
  return end < 0 ? script.length : end;
}

function afterQuote(script: string, start: number): number {
  const hasEscapes = script[start - 1] === "$";
  for (let at = start + 1; at < script.length; at++) {
    if (script[at] === "\\" && hasEscapes) at++;
    else if (script[at] === "'") return at + 1;
  }
  return script.length;
}

/** The position after the here-documents that begin here. A delimiter with a dash may be indented. */
function afterDocuments(script: string, start: number, documents: readonly string[]): number {
  let at = start;
  for (const document of documents) {
    const isIndented = document.startsWith("-");
    while (at < script.length) {
      const end = endOfLine(script, at);
      const line = script.slice(at, end);
      at = Math.min(end + 1, script.length);
      if ((isIndented ? `-${line.replace(/^\t+/, "")}` : line) === document) break;
    }
  }
  return at;
}
