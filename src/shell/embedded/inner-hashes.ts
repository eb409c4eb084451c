// just-bash misreads `#` inside `$(…)`. It looks for the end of `$(…)` twice: once it ignores that comments exist, and once it takes any `#` for a
// comment that doesn't follow a letter, such as that of `$#`.

/** A comment whose text just-bash may take for quotes or parentheses. */
const candidate = /(?:^|[\s;&|()`])#[^\n]*['"`()\\]/;
const substitution = /[$<>]\(/;
/** A `#` that just-bash may take for the beginning of a comment. */
const hash = /[^\s\w;&|()`]#|\d#/;

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
  for (const [start, end] of innerHashes(script).comments) {
    filled += script.slice(from, start) + "#".padEnd(end - start, filling);
    from = end;
  }
  return filled + script.slice(from);
}

/** Writes each `#` inside `$(…)` that begins no comment as `${#}`, `\#` or, in arithmetic, `"16#ff"`, which just-bash doesn't take for a comment. */
export function withEscapedHashes(script: string): string {
  if (!hash.test(script) || !substitution.test(script)) return script;
  let edited = "";
  let from = 0;
  for (const [start, end, text] of innerHashes(script).escapes) {
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

/** just-bash refuses scripts with more than 200 substitutions inside each other. Each may have quotes around it. */
const mostLevels = 400;

interface Found {
  readonly comments: (readonly [start: number, end: number])[];
  /** Each other `#`, or the `$#` or number that it is part of, and the text that replaces it. */
  readonly escapes: (readonly [start: number, end: number, text: string])[];
}

function innerHashes(script: string): Found {
  const found: Found = { comments: [], escapes: [] };
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
      if (readsAsComment(levels)) found.escapes.push([at, at + 2, "${#}"]);
      at += 2;
    } else if (level.kind === "arithmetic" && readsAsComment(levels) && numberWithBase(script, at) !== "") {
      const text = numberWithBase(script, at);
      found.escapes.push([at, at + text.length, `"${text}"`]);
      at += text.length;
    } else if (character === "#" && /[^\s;&|()`A-Za-z_]/.test(script.charAt(at - 1)) && (isCommand || level.kind === "quotes")) {
      if (readsAsComment(levels)) found.escapes.push([at, at + 1, isCommand ? "\\#" : '"\\#"']);
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

/** Whether just-bash would take a `#` here for a comment. It takes quotes inside quotes for the end of the outer ones, and skips `${…}`. */
function readsAsComment(levels: readonly Level[]): boolean {
  if (levels.length > mostLevels) return false;
  const kinds = levels.map(({ kind }) => kind);
  const first = kinds.findIndex((kind) => kind === "substitution" || kind === "arithmetic");
  const isOutside =
    !["quotes", "arithmetic"].includes(kinds.at(-1) ?? "") || kinds.slice(first).filter((kind) => kind === "quotes").length % 2 === 0;
  return kinds[first] === "substitution" && !kinds.includes("braces", first) && isOutside;
}

/** The number with a base that begins here, such as `16#ff`, or the empty string. */
function numberWithBase(script: string, at: number): string {
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
