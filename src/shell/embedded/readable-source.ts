import { Bash } from "just-bash/browser";
import { selectCommand } from "./select-loop.ts";
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
const patterns = /(?<=[\s(|;&])(?=[A-Za-z_]\w*(?:\[[^\]\s]*\])?\+?=[^\s()|]*[ \t]*[)|])/g;

/** The beginning of a word that is an extended pattern, which just-bash takes for a negation. */
const negations = /(?<=[\s(|/])!(?=\()/g;

/** A line from which on bash reads extended patterns. */
const extending = /^[^\n#]*\bshopt[ \t]+-s[ \t][^\n#;&|]*\bextglob\b.*$/m;
/** Comments with quotes or brackets, where just-bash looks for the end of a `$(…)`. */
const comments = /(?<![^\s;(])#[^\n]*['"()][^\n]*/g;

/** The maximum number of characters of lists that are checked. */
const mostLooked = 1_000_000;

/** The maximum number of times that a script is parsed to find the edits that it doesn't need. After that, the others are made. */
const mostChecks = 400;

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
 * - `@(…)` around a word's first `!(…)` on the lines after `shopt -s extglob`;
 * - a backslash before quotes and brackets in the comments of a `$(…)` (`# it's`).
 *
 * An edit is made only if just-bash rejects the script or loses a word without it, so text that only looks similar, such as that of a here-document,
 * doesn't change.
 */
export function readableSource(script: string): string {
  const words = wordsIn(script);
  const all = [
    ...redirectionsIn(script),
    ...shiftsIn(script),
    ...parenthesesIn(script),
    ...selectsIn(script),
    ...functionsIn(script),
    ...patternsIn(script),
    ...negationsIn(script),
    ...commentsIn(script),
    ...words,
  ];
  if (all.length === 0 || (words.length === 0 && listsRead(script) !== null)) return script;
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
  return withEdits(script, needed);
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
  return [...script.matchAll(/\$\(\(/g)].flatMap(({ index, 0: { length } }) => {
    const edit: (readonly [number, string])[] = [];
    let depth = 2;
    for (let at = index + length; at < script.length && depth > 0; at++) {
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
  return [...script.matchAll(functions)].flatMap(({ index, 0: { length } }): Edit[] => {
    let depth = 0;
    for (let at = index + length; at < script.length; at++) {
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
  return [...script.matchAll(negations)].flatMap(({ index }): Edit[] => {
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
  return pattern.replace(/^@\((!\(.*\))\)$/s, "$1");
}

/** The position after the parenthesis that closes the one here. Null: none does. */
function endOfParentheses(script: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < script.length; at++) {
    const character = script.charAt(at);
    if (character === "\\") at++;
    else if (character === "'" || character === '"') at = endOfQuotes(script, at);
    else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at + 1;
  }
  return null;
}

function commentsIn(script: string): Edit[] {
  if (!script.includes("$(")) return [];
  return [...script.matchAll(comments)].map(({ index, 0: comment }) =>
    [...comment.matchAll(/(?<!\\)['"()]/g)].map((found) => [index + found.index, "\\"] as const),
  );
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
      else if (character === "'") at = endOfQuotes(script, at);
      else if (character === '"') at = endOfQuotes(script, at);
      else if (character === "(") depth++;
      else if (character === ")") depth--;
    }
    return edit.length === 0 ? [] : [edit];
  });
}

/** The position of the quote that closes the one here, or of the last character if there is none. */
function endOfQuotes(script: string, start: number): number {
  const quote = script.charAt(start);
  for (let at = start + 1; at < script.length; at++) {
    if (script[at] === "\\" && quote === '"') at++;
    else if (script[at] === quote) return at;
  }
  return script.length - 1;
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
