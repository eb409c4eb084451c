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

/** The maximum number of characters of lists that are checked. */
const mostLooked = 1_000_000;

/** If a script has more of them, none is checked: each check takes as long as parsing the script. */
const mostEdits = 100;

/**
 * Edits what just-bash's parser rejects or misreads in a script:
 *
 * - a backslash before each target of a redirection that just-bash refuses (`cat <<< aGk=`);
 * - `$((…))` around each shift in `((x<<2))`;
 * - a space between two parentheses in `$((…))`, whose end just-bash doesn't find otherwise (`$(( ((a + 1) * 2) ))`);
 * - `while` instead of `select`;
 * - braces around `((…))` that is the body of a function;
 * - a backslash before words of a list that just-bash would drop (`list=(-e KEY=value)`).
 *
 * An edit is made only if the script can't be parsed without it, so text that only looks similar, such as that of a here-document, doesn't change.
 */
export function readableSource(script: string): string {
  const words = wordsIn(script);
  if (words.length > 0) refuseLostWords();
  const all = [
    ...redirectionsIn(script),
    ...shiftsIn(script),
    ...parenthesesIn(script),
    ...selectsIn(script),
    ...functionsIn(script),
    ...words,
  ];
  if (all.length === 0 || all.length > mostEdits || canBeRead(script)) return script;
  const needed = new Set(all);
  // The script has another mistake, too: just-bash reports it.
  if (!canBeRead(withEdits(script, needed))) return script;
  for (const edit of all) {
    needed.delete(edit);
    if (!canBeRead(withEdits(script, needed))) needed.add(edit);
  }
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

let areRefused = false;

/** Makes just-bash reject a list with a word that it would drop. */
function refuseLostWords(): void {
  if (areRefused) return;
  // oxlint-disable-next-line typescript/unbound-method -- put back below, and called with its own `this`.
  const has = Set.prototype.has;
  const asked: Set<unknown>[] = [];
  function watchedHas(this: Set<unknown>, value: unknown): boolean {
    if (value === "ASSIGNMENT_WORD") asked.push(this);
    return Reflect.apply(has, this, [value]);
  }
  Object.assign(Set.prototype, { has: watchedHas });
  try {
    new Bash({ defenseInDepth: false }).transform("a=(b=c)");
  } finally {
    Object.assign(Set.prototype, { has });
  }
  const refused = asked.find((types) => types.has("SEMICOLON") && types.has("SEMI_SEMI_AND") && !types.has("NEWLINE"));
  if (refused === undefined) throw new Error("just-bash reads lists otherwise: was it updated?");
  for (const type of ["ASSIGNMENT_WORD", "LBRACE", "RBRACE", "DBRACK_START", "DBRACK_END"]) refused.add(type);
  areRefused = true;
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

function canBeRead(script: string): boolean {
  try {
    return !hasLostEnd(new Bash({ defenseInDepth: false }).transform(script).ast.statements);
  } catch (error) {
    if (error instanceof Error && ["ParseException", "LexerError"].includes(error.name)) return false;
    throw error;
  }
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
