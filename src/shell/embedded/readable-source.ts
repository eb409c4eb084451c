import { Bash } from "just-bash/browser";
import { withPlainDocuments } from "./document-quotes.ts";
import { selectCommand } from "./select-loop.ts";
import { mayHaveInnerComments, withEscapedHashes, withInnerComments } from "./inner-hashes.ts";
import { isNode } from "./script-nodes.ts";

/** Texts to insert into a script, with their positions. */
type Edit = readonly (readonly [at: number, text: string])[];

/** Redirections whose target may be a word such as `a=b`, which just-bash takes for an assignment. */
const redirections = /(?:<<<|&>>?|>\||>>?|<)[ \t]*(?=[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=)/g;

/** An arithmetic command on one line; just-bash takes its `<<` for a here-document. */
const shifting = /(?<!\$)\(\(((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*)\)\)/g;

/** The possible beginnings of `select` loops. */
const selects = /(?<![\w$.-])select(?=[ \t]+[A-Za-z_]\w*(?:[ \t]+in\b|[ \t]*[;\n]))/g;

/** Function heads whose body may be an arithmetic command. */
const functions = /(?:\bfunction[ \t]+[^\s()]+(?:[ \t]*\([ \t]*\))?|(?<![\w:.-])[\w:.-]+[ \t]*\([ \t]*\))\s*(?=\(\()/g;

/** The beginning of a list. */
const lists = /[\w\]]\+?=\(/g;

/** A word that begins like an assignment, or one of a few others. just-bash silently drops these from a list. */
const lost = /(?:[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=|(?:[{}]|\[\[|\]\])(?=[\s)]))/y;

/** Words such as `dir=*)` where a pattern of `case` may be, which just-bash takes for an assignment. */
const patterns = /(?<=[\s(|;&])(?=[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=[^\s()|;&]{0,500}[ \t]{0,500}[)|])/g;

/** The beginning of a word that is an extended pattern, which just-bash takes for a negation. */
const negations = /(?<=[\s(|/])!(?=\()/g;

/** A line from which on bash reads extended patterns. */
const extending = /^[^\n#]*\bshopt[ \t]+-s[ \t][^\n#;&|]*\bextglob\b.*$/m;

/** The maximum number of characters of lists that are checked. */
const mostLooked = 1_000_000;

/** The maximum number of times that a script is parsed to find the edits that it needs. */
const mostChecks = 1000;

/** The maximum number of places that are looked at for one kind of edit, and of characters from each of them. */
const mostPlaces = 1000;
const mostAhead = 10_000;

/**
 * Edits what just-bash's parser rejects or misreads in a script:
 *
 * - a backslash before each target of a redirection that just-bash refuses (`cat <<< aGk=`);
 * - `$((…))` around each shift in `((x<<2))`;
 * - a space between two parentheses in `$((…))`, whose end just-bash doesn't find otherwise (`$(( ((a + 1) * 2) ))`);
 * - `while` instead of `select`;
 * - braces around `((…))` that is the body of a function;
 * - a backslash before words of a list that just-bash would drop (`list=(-e KEY=value)`);
 * - a backslash before a pattern of `case` that begins like an assignment (`dir=*)`);
 * - blanks instead of the text of a comment in `$(…)`, whose quotes and parentheses just-bash reads;
 * - `${#}`, `\#` or quotes for each `#` in `$(…)` that just-bash would take for a comment (`$(seq 1 $#)`);
 * - a backslash before `$'` and `$"` in a here-document, which just-bash takes for quotations;
 * - `@(…)` around each `!(…)` that begins a word or a part of a path, on the lines after `shopt -s extglob`.
 *
 * All edits but those of comments, `#` and here-documents are made only if just-bash rejects the script or loses a word without them, so text that only looks similar,
 * such as that of a here-document, doesn't change.
 */
export function readableSource(given: string): string {
  const escaped = withEscapedHashes(withPlainDocuments(given));
  const script = mayHaveInnerComments(escaped) ? withoutInnerComments(escaped) : escaped;
  const words = wordsIn(script);
  const others = [
    ...redirectionsIn(script),
    ...shiftsIn(script),
    ...parenthesesIn(script),
    ...selectsIn(script),
    ...functionsIn(script),
    ...patternsIn(script),
    ...negationsIn(script),
  ];
  if (words.length + others.length === 0) return script;
  const read = listsRead(script);
  return read === null ? parsable(script, [...others, ...words]) : withAllWords(script, words, read);
}

/** Empties the comments in `$(…)`. What is emptied must be ignored, whatever it says. */
function withoutInnerComments(script: string): string {
  const [empty, full] = [" ", "x"].map((filling) => withInnerComments(script, filling));
  const read = empty === undefined || empty === script ? null : textOfNodes(empty);
  return empty !== undefined && full !== undefined && read !== null && read === textOfNodes(full) ? empty : script;
}

/** Null: the script can't be parsed. */
function textOfNodes(script: string): string | null {
  if (listsRead(script) === null) return null;
  const { ast } = new Bash({ defenseInDepth: false }).transform(script);
  return JSON.stringify(ast, (key, value: unknown) => (key === "sourceText" || key === "originalText" ? undefined : value));
}

/** A script that can be parsed, with the edits without which words would be lost. `read`: its `listsRead`. */
function withAllWords(script: string, words: readonly Edit[], read: number): string {
  const needed = new Set<Edit>();
  let count = read;
  let checks = 0;
  const add = (edits: readonly Edit[]): void => {
    const [first, ...more] = edits;
    if (first === undefined) return;
    checks++;
    const now = listsRead(withEdits(script, new Set([...needed, ...edits])));
    if (now === count) return;
    if (checks > mostChecks || (more.length === 0 && now !== null && now > count)) {
      for (const edit of edits) needed.add(edit);
      count = now ?? count;
    } else if (more.length > 0) {
      const middle = Math.ceil(edits.length / 2);
      add(edits.slice(0, middle));
      add(edits.slice(middle));
    }
  };
  add(words);
  return withEdits(script, needed);
}

/** A script that can't be parsed, with the edits with which it can. The same script if there is no such set, or if it takes too long to find. */
function parsable(script: string, all: readonly Edit[]): string {
  const needed = new Set(all);
  const whole = listsRead(withEdits(script, needed));
  // The script has another mistake, too: just-bash reports it.
  if (whole === null) return script;
  let checks = 0;
  /** Removes the edits that are not needed. */
  const reduce = (edits: readonly Edit[]): void => {
    if (checks++ >= mostChecks) return;
    for (const edit of edits) needed.delete(edit);
    if (listsRead(withEdits(script, needed)) === whole) return;
    for (const edit of edits) needed.add(edit);
    if (edits.length === 1) return;
    const middle = Math.ceil(edits.length / 2);
    reduce(edits.slice(0, middle));
    reduce(edits.slice(middle));
  };
  reduce(all);
  return checks > mostChecks ? script : withEdits(script, needed);
}

function redirectionsIn(script: string): Edit[] {
  return [...script.matchAll(redirections)].map(({ index, 0: found }) => [[index + found.length, "\\"]]);
}

/** `for ((…; …; …))` has several expressions. */
function shiftsIn(script: string): Edit[] {
  return [...script.matchAll(shifting)].flatMap(({ index, 1: text = "" }) => {
    let at = index + 2;
    return text.split(";").flatMap((expression): Edit[] => {
      const start = at;
      at += expression.length + 1;
      return expression.includes("<<")
        ? [
            [
              [start, "$(("],
              [at - 1, "))"],
            ],
          ]
        : [];
    });
  });
}

function parenthesesIn(script: string): Edit[] {
  return [...script.matchAll(/\$\(\(/g)].slice(0, mostPlaces).flatMap(({ index, 0: { length } }) => {
    const edit: (readonly [number, string])[] = [];
    let depth = 2;
    for (let at = index + length; at < Math.min(script.length, index + mostAhead) && depth > 0; at++) {
      depth += script[at] === "(" ? 1 : script[at] === ")" ? -1 : 0;
      if (script.startsWith("((", at) && script[at - 1] !== "$") edit.push([at + 1, " "]);
    }
    return edit.length === 0 ? [] : [edit];
  });
}

function selectsIn(script: string): Edit[] {
  return [...script.matchAll(selects)].map(({ index }) => [[index, `while ${selectCommand.replace("select", "")}`]]);
}

function functionsIn(script: string): Edit[] {
  return [...script.matchAll(functions)].slice(0, mostPlaces).flatMap(({ index, 0: { length } }): Edit[] => {
    let depth = 0;
    for (let at = index + length; at < Math.min(script.length, index + mostAhead); at++) {
      depth += script[at] === "(" ? 1 : script[at] === ")" ? -1 : 0;
      if (depth === 0)
        return [
          [
            [index + length, "{ "],
            [at + 1, "; }"],
          ],
        ];
    }
    return [];
  });
}

function patternsIn(script: string): Edit[] {
  return /\bcase\b/.test(script) ? [...script.matchAll(patterns)].map(({ index }) => [[index, "\\"]]) : [];
}

function negationsIn(script: string): Edit[] {
  const line = extending.exec(script);
  if (line === null) return [];
  const start = line.index + line[0].length;
  return [...script.matchAll(negations)].slice(0, mostPlaces).flatMap(({ index }): Edit[] => {
    const end = index < start ? null : endOfParentheses(script, index + 1);
    return end === null
      ? []
      : [
          [
            [index, "@("],
            [end, ")"],
          ],
        ];
  });
}

/** The pattern as the script has it: without the `@(…)` that `readableSource` puts around `!(…)`. */
export function patternAsWritten(pattern: string): string {
  return pattern.startsWith("@(!(") && endOfParentheses(pattern, 3) === pattern.length - 1 ? pattern.slice(2, -1) : pattern;
}

/** The position after the parenthesis that closes the one here. Null: none does. */
function endOfParentheses(script: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < Math.min(script.length, start + mostAhead); at++) {
    const character = script.charAt(at);
    if (character === "\\") at++;
    else if (character === "'" || character === '"') at = endOfQuotes(script, at);
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at + 1;
  }
  return null;
}

/** For each list, the words that would be lost. */
function wordsIn(script: string): Edit[] {
  if (!script.includes("=(")) return [];
  let looked = 0;
  return [...script.matchAll(lists)].flatMap(({ index, 0: { length } }) => {
    const edit: (readonly [number, string])[] = [];
    let depth = 1;
    for (let at = index + length; at < script.length && depth > 0 && looked < mostLooked; at++) {
      looked++;
      lost.lastIndex = at;
      if (depth === 1 && /[\s(]/.test(script.charAt(at - 1)) && lost.test(script)) edit.push([at, "\\"]);
      const character = script.charAt(at);
      if (character === "\\") at++;
      else if (character === "'" || character === '"') at = endOfQuotes(script, at);
      else if (character === "#" && /[\s(]/.test(script.charAt(at - 1))) at = endOfLine(script, at) - 1;
      else if (script.startsWith("${", at)) at = endOfBraces(script, at + 1);
      else if (character === "(") depth++;
      else if (character === ")") depth--;
    }
    return edit.length === 0 ? [] : [edit];
  });
}

/** The position of the quote that closes the one here, or of the last character if there is none. */
function endOfQuotes(script: string, start: number): number {
  const quote = script.charAt(start);
  const hasEscapes = quote === '"' || script[start - 1] === "$";
  for (let at = start + 1; at < script.length; at++) {
    if (script[at] === "\\" && hasEscapes) at++;
    else if (script[at] === quote) return at;
  }
  return script.length - 1;
}

/** The position of the brace that closes the one here, or of the last character if there is none. */
function endOfBraces(script: string, start: number): number {
  let depth = 0;
  for (let at = start; at < script.length; at++) {
    const character = script.charAt(at);
    if (character === "\\") at++;
    else if (character === "'" || character === '"') at = endOfQuotes(script, at);
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at;
  }
  return script.length - 1;
}

function endOfLine(script: string, start: number): number {
  const end = script.indexOf("\n", start);
  return end < 0 ? script.length : end;
}

function withEdits(script: string, edits: ReadonlySet<Edit>): string {
  let edited = "";
  let from = 0;
  for (const [at, text] of [...edits].flat().toSorted(([a], [b]) => a - b)) {
    edited += script.slice(from, at) + text;
    from = at;
  }
  return edited + script.slice(from);
}

/** How much of the script's lists just-bash reads: it doesn't report words that it drops. Null: it can't parse the script. */
function listsRead(script: string): number | null {
  try {
    const { statements } = new Bash({ defenseInDepth: false }).transform(script).ast;
    return hasLostEnd(statements) ? null : sizeOfLists(statements);
  } catch (error) {
    if (error instanceof Error && ["ParseException", "LexerError"].includes(error.name)) return null;
    throw error;
  }
}

/** The number of words in lists. A list of a declaration (`local a=(b c)`) is a single word, so the characters outside its quotes count. */
function sizeOfLists(node: unknown): number {
  if (!isNode(node)) return 0;
  let size = 0;
  if (node["type"] === "Assignment" && Array.isArray(node["array"])) size += node["array"].length;
  if (node["type"] === "SimpleCommand" && Array.isArray(node["args"])) for (const word of node["args"]) size += sizeOfDeclared(word);
  for (const child of Object.values(node)) size += sizeOfLists(child);
  return size;
}

function sizeOfDeclared(word: unknown): number {
  const parts: readonly unknown[] = isNode(word) && Array.isArray(word["parts"]) ? word["parts"] : [];
  const texts = parts.map((part) =>
    isNode(part) && part["type"] !== "SingleQuoted" && typeof part["value"] === "string" ? part["value"] : "",
  );
  return /^[A-Za-z_]\w*\+?=\(/.test(texts[0] ?? "") ? texts.join("").length : 0;
}

/** Whether arithmetic extends beyond its own end. */
function hasLostEnd(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasLostEnd);
  if (!isNode(node)) return false;
  if (node["type"] === "ArithmeticExpression" && isNode(node["expression"]) && node["expression"]["type"] === "ArithSyntaxError") {
    let depth = 0;
    for (const character of String(node["originalText"])) {
      depth += character === "(" ? 1 : character === ")" ? -1 : 0;
      if (depth < 0) return true;
    }
  }
  return Object.values(node).some(hasLostEnd);
}
