import { isPlainWord, isProgram } from "../../../dialog/pattern.ts";
import type { Script } from "../script-nodes.ts";
import { isGitName } from "../git/commands/names.ts";
import { findingsOf } from "./findings.ts";
import { parser } from "./parser.ts";
import { type Simple, valueOf, type Word } from "./tokens.ts";

/** UTF-16 units; longer commands are not parsed. */
const longest = 4_000;

/** Printable ASCII and line feeds: nothing in it looks like something else. No backslash or backtick, which change what is next to them. */
const readable = /^[\n -[\]-_a-~]*$/;

/**
 * The words of each simple command of a script, parsed by the shell that runs it. Null unless the script consists only of simple commands, one after
 * another or piped, whose words say what runs: every word is plain or quoted, and nothing in it is computed. This is an allowlist, so it does not
 * cover what a later parser adds.
 */
export async function readSimple(command: string): Promise<readonly (readonly string[])[] | null> {
  if (command.length > longest || !readable.test(command)) return null;
  const script = await parser()(command);
  return script && simpleCommands(script);
}

function simpleCommands({ statements }: Script): readonly (readonly string[])[] | null {
  const all: (readonly string[])[] = [];
  for (const { pipelines, operators, background, deferredError } of statements) {
    if (background || deferredError !== undefined || !operators.every((operator) => isJoint.has(operator))) return null;
    for (const { commands, negated, timed, pipeStderr } of pipelines) {
      if (negated || timed === true || pipeStderr?.includes(true) === true) return null;
      for (const [at, node] of commands.entries()) {
        const words = node.type === "SimpleCommand" ? wordsOf(node, at > 0) : null;
        if (words === null) return null;
        all.push(words);
      }
    }
  }
  return all.length === 0 ? null : all;
}

const isJoint: ReadonlySet<string> = new Set(["&&", "||", ";"]);

/** The program and its arguments. Null: the command does more than that, or it isn't certain. */
function wordsOf({ name, args, assignments, redirections }: Simple, isPiped: boolean): readonly string[] | null {
  if (name === null || assignments.length > 0 || redirections.length > 0 || ![name, ...args].every(saysItself)) return null;
  const [program, ...given] = [name, ...args].map(valueOf);
  if (program === undefined || !isPlainWord(program.text) || !isProgram(program.text)) return null;
  const found = findingsOf({ name: program, args: given, isPiped });
  if (found.some(({ kind }) => kind === "runs-text" || kind === "computed")) return null;
  const texts = given.map(({ text }) => text);
  if (runsAnother(program.text, texts)) return null;
  return [program.text, ...texts];
}

/**
 * Whether a program is told to run another program, or a file as its script, although that is not its purpose. A `|` in awk may also be part of a
 * regular expression, which can't be distinguished without parsing the program like awk.
 */
function runsAnother(program: string, texts: readonly string[]): boolean {
  const has = (...words: readonly string[]) => words.some((word) => texts.some((text) => text === word || text.startsWith(`${word}=`)));
  switch (program) {
    case "awk":
    case "gawk":
      return texts.some((text) => /(?<!\|)\|(?!\|)|^-[a-zA-Z]*f|^--(?:file|exec|include|load)/.test(text));
    case "rg":
      return has("--pre");
    // A Makefile inserts a variable's text into its commands.
    case "make":
      return texts.some((text) => /^(?!-)[^=]*=|^-(?!-)[a-zA-Z]*[fEI]|^--(?:file|makefile|eval|include)/.test(text));
    case "npx":
      return calls(texts) || setsProgram(texts);
    case "npm":
      return (has("exec", "x") && calls(texts)) || setsProgram(texts);
    case "pnpm":
    case "yarn":
      return setsProgram(texts);
    case "git":
      return gitRunsAnother(texts);
    default:
      return false;
  }
}

/** npm's `-c`, also among other letters, and `--call`, which npm allows to be shortened. */
function calls(texts: readonly string[]): boolean {
  return texts.some((text) => /^-(?!-).*c|^--ca/.test(text));
}

/** npm settings that name a program, a settings file or another package's folder, also shortened. */
function setsProgram(texts: readonly string[]): boolean {
  return texts.some((text) => /^--(?:scr|she|nod|git?$|git?=|edi|vi|brow|py|init-m|userc|globalc|pref)|^-C/.test(text));
}

/** Options of git that precede its command and have a separate value. */
const gitValues: ReadonlySet<string> = new Set(["-C", "--git-dir", "--work-tree"]);

/** A name that is not a git command may be an alias for any shell command. */
function gitRunsAnother(texts: readonly string[]): boolean {
  let at = 0;
  while (texts[at]?.startsWith("-") === true) at += gitValues.has(texts[at] ?? "") ? 2 : 1;
  const verb = texts[at];
  if (verb !== undefined && verb !== "version" && !isGitName(verb)) return true;
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (has(/^(?:-c|--config-env(?:=.*)?)$/) || has(/^alias\./i)) return true;
  return (
    (verb === "bisect" && has(/^run$/)) || (verb === "rebase" && has(/^-(?!-).*x|^--ex/)) || (verb === "submodule" && has(/^foreach$/))
  );
}

/** Whether the word consists only of plain and quoted text. */
function saysItself({ parts }: Word): boolean {
  return parts.every((part) => {
    if (part.type === "Literal") return isPlainWord(part.value);
    if (part.type === "SingleQuoted") return true;
    return part.type === "DoubleQuoted" && part.parts.every((inner) => inner.type === "Literal" && !/[$!]/.test(inner.value));
  });
}
