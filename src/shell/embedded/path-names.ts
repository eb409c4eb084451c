import type { IFileSystem } from "just-bash/browser";
import { type NamePattern, type NameRules, namePattern, partsOfPath } from "./glob-pattern.ts";
import { declaring, valueOf } from "./many-words.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode, literal } from "./script-nodes.ts";

/** A word with a pattern: `pattern` has backslashes before quoted characters, and `text` is the word if nothing matches. */
interface PatternWord {
  readonly pattern: string;
  readonly text: string;
}

type Options = Readonly<Record<string, unknown>>;

const group = /[!@*+?]\(/;

/**
 * Runs a command or a `for` loop whose words have patterns that just-bash can't match, with the names of the files that match: `!(…)` and the like,
 * `**` with `globstar`, and all patterns with `nocaseglob`. Words with substitutions are left to just-bash.
 */
export function withPathNames(interpreter: Interpreter, node: object, run: (node: object) => Promise<unknown>): Promise<unknown> {
  const { state } = interpreter.ctx;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object of options; each is compared with true.
  const options = Object(Reflect.get(state, "shoptOptions")) as Options;
  if (options["extglob"] !== true && options["globstar"] !== true && options["nocaseglob"] !== true) return run(node);
  const type: unknown = Reflect.get(node, "type");
  const field = type === "SimpleCommand" ? "args" : type === "For" ? "words" : null;
  if (field === null) return run(node);
  const words = wordsIn(node, field);
  const declares = declaring.has(literal(Reflect.get(node, "name")) ?? "");
  const assignments: unknown = Reflect.get(node, "assignments");
  const lists: readonly object[] = Array.isArray(assignments) ? assignments.filter((each) => wordsIn(each, "array").some(hasPattern)) : [];
  if (lists.length === 0 && !words.some(hasPattern)) return run(node);
  if (Reflect.get(Object(Reflect.get(state, "options")), "noglob") === true || valueOf("GLOBIGNORE", interpreter)) return run(node);
  const all = async (given: readonly unknown[]): Promise<readonly unknown[]> =>
    (await Promise.all(given.map(async (word) => (declares && isAssignment(word) ? [word] : wordsFor(word, interpreter, options))))).flat();
  const expanded = async (): Promise<unknown> => {
    if (lists.length === 0) return run({ ...node, [field]: await all(words) });
    const set = await Promise.all(
      (Array.isArray(assignments) ? assignments : []).map(async (each: object) =>
        lists.includes(each) ? { ...each, array: await all(wordsIn(each, "array")) } : each,
      ),
    );
    return run({ ...node, [field]: await all(words), assignments: set });
  };
  return expanded();
}

function wordsIn(node: unknown, field: string): readonly unknown[] {
  const words: unknown = isNode(node) ? node[field] : null;
  return Array.isArray(words) ? words : [];
}

function hasPattern(word: unknown): boolean {
  return isNode(word) && Array.isArray(word["parts"]) && word["parts"].some((part) => isNode(part) && part["type"] === "Glob");
}

/** Whether a word of `local` and the like sets a variable: its value is not a pattern. */
function isAssignment(word: unknown): boolean {
  const [first]: readonly unknown[] = isNode(word) && Array.isArray(word["parts"]) ? word["parts"] : [];
  return isNode(first) && /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(String(first["value"]));
}

/** Null: just-bash expands the word. */
function patternOf(word: unknown, options: Options, interpreter: Interpreter): PatternWord | null {
  const parts: readonly unknown[] = isNode(word) && Array.isArray(word["parts"]) ? word["parts"] : [];
  const all = parts.map((part) => (isNode(part) ? partOf(part, interpreter) : null));
  if (!all.every((part) => part !== null)) return null;
  const pattern = all.map((part) => part.pattern).join("");
  const isOurs =
    (options["extglob"] === true && group.test(pattern)) ||
    (options["globstar"] === true && pattern.includes("**")) ||
    options["nocaseglob"] === true;
  return isOurs ? { pattern, text: all.map((part) => part.text).join("") } : null;
}

function partOf(part: Record<string, unknown>, interpreter: Interpreter): PatternWord | null {
  const { type, value } = part;
  const quoted = (text: string): PatternWord => ({ pattern: escaped(text), text });
  if (type === "Literal") return { pattern: String(value), text: String(value) };
  if (type === "SingleQuoted" || type === "Escaped") return quoted(String(value));
  if (type === "Glob") return globPart(String(part["pattern"]));
  if ((type === "ParameterExpansion" && part["operation"] === null) || (type === "TildeExpansion" && part["user"] === null)) {
    const text = valueOf(type === "TildeExpansion" ? "HOME" : String(part["parameter"]), interpreter);
    // Other values would be split, or are patterns themselves.
    return typeof text === "string" && /^[\w/.-]+$/.test(text) ? { pattern: text, text } : null;
  }
  if (type !== "DoubleQuoted" || !Array.isArray(part["parts"])) return null;
  const inner = part["parts"].map((each: unknown) => {
    if (!isNode(each)) return null;
    if (each["type"] === "Literal" || each["type"] === "Escaped") return String(each["value"]);
    const isList = /@|\*/.test(String(each["parameter"]));
    return each["type"] === "ParameterExpansion" && each["operation"] === null && !isList
      ? (valueOf(String(each["parameter"]), interpreter) ?? null)
      : null;
  });
  return inner.every((text) => text !== null) ? quoted(inner.join("")) : null;
}

/** Puts a backslash before each character that may be special. */
function escaped(text: string): string {
  return text.replaceAll(/[^\w/.-]/gu, String.raw`\$&`);
}

/** The parser keeps quotes in a group. A group with an expansion is left to just-bash. */
function globPart(given: string): PatternWord | null {
  if (/[$`]/.test(given)) return null;
  const pattern = given.replaceAll(/\\.|'([^']*)'|"([^"]*)"/gs, (found, single?: string, double?: string) =>
    found.startsWith("\\") ? found : escaped(single ?? double ?? ""),
  );
  return { pattern, text: given.replaceAll(/\\(.)|'([^']*)'|"([^"]*)"/gs, "$1$2$3") };
}

/** The words that replace the word. */
async function wordsFor(word: unknown, interpreter: Interpreter, options: Options): Promise<readonly unknown[]> {
  const given = hasPattern(word) ? patternOf(word, options, interpreter) : null;
  if (given === null) return [word];
  const names = await namesOf(interpreter, options, given.pattern);
  if (names.length === 0 && options["failglob"] === true) return [word];
  if (names.length === 0 && options["nullglob"] === true) return [];
  return (names.length === 0 ? [given.text] : names).map((value) => ({ type: "Word", parts: [{ type: "SingleQuoted", value }] }));
}

/** The paths that match, sorted. */
async function namesOf({ ctx }: Interpreter, options: Options, pattern: string): Promise<string[]> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shell's files, which just-bash's own patterns read as well.
  const files = ctx.fs as IFileSystem;
  const rules: NameRules = {
    ignoresCase: options["nocaseglob"] === true,
    dots: options["dotglob"] === true,
    groups: options["extglob"] === true,
  };
  const cwd = String(Reflect.get(ctx.state, "cwd"));
  const parts = partsOfPath(pattern, rules.groups);
  const found = new Set<string>();

  const list = async (prefix: string): Promise<{ readonly name: string; readonly isFolder: boolean; readonly isLink: boolean }[]> => {
    const folder = files.resolvePath(cwd, prefix === "" ? "." : prefix);
    try {
      const entries = (await files.readdirWithFileTypes?.(folder)) ?? [];
      return entries.map(({ name, isDirectory, isSymbolicLink }) => ({ name, isFolder: isDirectory, isLink: isSymbolicLink }));
    } catch (error) {
      // As in bash, a folder that can't be read has no names.
      if (!isFileError(error)) throw error;
      return [];
    }
  };
  const isThere = async (path: string, asFolder: boolean): Promise<boolean> => {
    const at = files.resolvePath(cwd, path);
    try {
      return (await (asFolder ? files.stat(at) : files.lstat(at))).isDirectory || !asFolder;
    } catch (error) {
      if (!isFileError(error)) throw error;
      return false;
    }
  };

  /** Finds what matches the parts from `at` on, below `prefix`, which is empty or ends with a slash. */
  async function visit(prefix: string, at: number): Promise<void> {
    const part = parts[at] ?? "";
    const isLast = at === parts.length - 1;
    if (part === "") {
      // The start of an absolute path, a double slash, or the slash at the end.
      if (!isLast) await visit(`${prefix}/`, at + 1);
      else if (prefix !== "") found.add(prefix);
      return;
    }
    if (part === "**" && options["globstar"] === true) {
      const next = parts.findIndex((other, i) => i > at && other !== "**");
      // As in bash, the folder's name ends with a slash if it has no pattern.
      const isFixed = parts.slice(0, at).every((other) => namePattern(other, rules).literal !== null);
      if (next < 0 && prefix !== "") found.add(isFixed ? prefix : prefix.slice(0, -1));
      return visitAll(prefix, next < 0 ? null : next);
    }
    const compiled: NamePattern = namePattern(part, rules);
    if (compiled.literal !== null) {
      const path = prefix + compiled.literal;
      if (!(await isThere(path, !isLast))) return;
      if (isLast) found.add(path);
      else await visit(`${path}/`, at + 1);
      return;
    }
    for (const { name, isFolder, isLink } of await list(prefix)) {
      if (!compiled.matches(name)) continue;
      if (isLast) found.add(prefix + name);
      else if (isFolder || (isLink && (await isThere(prefix + name, true)))) await visit(`${prefix}${name}/`, at + 1);
    }
  }

  /** `**`: this folder and all folders below it; at the end of a pattern, also all files. */
  async function visitAll(prefix: string, next: number | null): Promise<void> {
    if (next !== null) await visit(prefix, next);
    for (const { name, isFolder } of await list(prefix)) {
      if (name.startsWith(".") && !rules.dots) continue;
      if (next === null) found.add(prefix + name);
      if (isFolder) await visitAll(`${prefix}${name}/`, next);
    }
  }

  await visit("", 0);
  return [...found].toSorted();
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && /^E[A-Z]+\b/.test(error.message);
}
