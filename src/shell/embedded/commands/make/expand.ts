import { type Makefile, MakeError, stemOf, type Variable, wordsOf } from "./makefile.ts";

/** What functions need in addition to the makefile. */
export interface Surroundings {
  /** Runs a line in a shell and returns its output. */
  shell(line: string): Promise<string>;
  /** The files that match a pattern, in order. */
  wildcard(pattern: string): Promise<readonly string[]>;
  exists(path: string): Promise<boolean>;
  absolute(path: string): string;
  say(text: string, stream: "stdout" | "stderr"): void;
}

/** The context in which a text is expanded. */
export interface Scope {
  readonly makefile: Makefile;
  readonly around: Surroundings;
  /** Automatic variables, those of a target, and the parameters of `call`. They take precedence. */
  readonly own: ReadonlyMap<string, Variable>;
  /** The names that are being expanded. */
  readonly open: readonly string[];
  /** The place that messages name. */
  readonly place: string | null;
}

const simple = (text: string): Variable => ({ text, isSimple: true, origin: "default" });

export function variableOf(scope: Scope, name: string): Variable | null {
  return scope.own.get(name) ?? scope.makefile.variables.get(name) ?? null;
}

export async function valueOf(scope: Scope, name: string): Promise<string> {
  const found = variableOf(scope, name);
  if (found === null) return "";
  if (found.isSimple) return found.text;
  if (scope.open.includes(name)) throw new MakeError(`Recursive variable '${name}' references itself (eventually).  Stop.`, scope.place);
  return expand(found.text, { ...scope, open: [...scope.open, name] });
}

/** Expands `$(…)`, `${…}`, `$x` and `$$`. */
export async function expand(text: string, scope: Scope): Promise<string> {
  let result = "";
  let at = 0;
  for (;;) {
    const next = text.indexOf("$", at);
    if (next < 0) return result + text.slice(at);
    result += text.slice(at, next);
    const letter = text.charAt(next + 1);
    if (letter === "$") {
      result += "$";
      at = next + 2;
    } else if (letter === "(" || letter === "{") {
      const end = closing(text, next + 1);
      if (end < 0) throw new MakeError("unterminated variable reference.  Stop.", scope.place);
      result += await reference(text.slice(next + 2, end), scope);
      at = end + 1;
    } else {
      result += letter === "" ? "" : await valueOf(scope, letter);
      at = next + 2;
    }
  }
}

/** Where the bracket at that position is closed; -1: nowhere. */
function closing(text: string, from: number): number {
  const [open, close] = text.charAt(from) === "(" ? ["(", ")"] : ["{", "}"];
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === open) depth++;
    else if (text.charAt(at) === close && --depth === 0) return at;
  }
  return -1;
}

async function reference(inside: string, scope: Scope): Promise<string> {
  const [, name = "", rest = ""] = /^([a-z-]+)[ \t]+([^]*)$/.exec(inside) ?? [];
  if (Object.hasOwn(functions, name) || Object.hasOwn(lazyFunctions, name)) {
    const lazy = lazyFunctions[name];
    const parts = argumentsOf(rest, mostArguments[name] ?? Number.POSITIVE_INFINITY);
    if (lazy !== undefined) return lazy(parts, scope);
    const given: string[] = [];
    for (const part of parts) given.push(await expand(part, scope));
    return (await functions[name]?.(given, scope)) ?? "";
  }
  const whole = await expand(inside, scope);
  const found = /^([^:#=\s]+):([^=]*)=(.*)$/s.exec(whole);
  if (found === null) return valueOf(scope, whole.trim());
  const [, variable = "", from = "", to = ""] = found;
  const value = await valueOf(scope, variable);
  return from.includes("%") ? patsubst(from, to, value) : patsubst(`%${from}`, `%${to}`, value);
}

function argumentsOf(text: string, most: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === "(" || letter === "{") depth++;
    else if (letter === ")" || letter === "}") depth--;
    else if (letter === "," && depth === 0 && parts.length < most - 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function patsubst(from: string, to: string, text: string): string {
  return wordsOf(text)
    .map((word) => {
      const stem = stemOf(from, word);
      return stem === null ? word : from.includes("%") ? to.replace("%", () => stem) : to;
    })
    .join(" ");
}

type MakeFunction = (parts: readonly string[], scope: Scope) => Promise<string> | string;

const each = (text: string | undefined, change: (word: string) => string): string =>
  wordsOf(text ?? "")
    .map(change)
    .join(" ");
const folderOf = (word: string): string => (word.includes("/") ? word.slice(0, word.lastIndexOf("/") + 1) : "./");
const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);
const suffixOf = (word: string): string => /\.[^./]*$/.exec(word)?.[0] ?? "";
const matches = (patterns: string | undefined, word: string): boolean =>
  wordsOf(patterns ?? "").some((pattern) => stemOf(pattern, word) !== null);

/** The number of arguments of each function. Further commas belong to the last one. */
const mostArguments: Readonly<Record<string, number>> = {
  shell: 1,
  error: 1,
  warning: 1,
  info: 1,
  strip: 1,
  wildcard: 1,
  sort: 1,
  dir: 1,
  notdir: 1,
  suffix: 1,
  basename: 1,
  words: 1,
  firstword: 1,
  lastword: 1,
  realpath: 1,
  abspath: 1,
  value: 1,
  origin: 1,
  flavor: 1,
  eval: 1,
  subst: 3,
  patsubst: 3,
  filter: 2,
  "filter-out": 2,
  foreach: 3,
  addprefix: 2,
  addsuffix: 2,
  word: 2,
  wordlist: 3,
  findstring: 2,
  if: 3,
  join: 2,
};

const functions: Readonly<Record<string, MakeFunction>> = {
  subst: ([from = "", to = "", text = ""]) => (from === "" ? text : text.replaceAll(from, () => to)),
  patsubst: ([from = "", to = "", text = ""]) => patsubst(from.trim(), to, text),
  strip: ([text = ""]) => wordsOf(text).join(" "),
  findstring: ([what = "", text = ""]) => (text.includes(what) ? what : ""),
  filter: ([patterns, text]) =>
    wordsOf(text ?? "")
      .filter((word) => matches(patterns, word))
      .join(" "),
  "filter-out": ([patterns, text]) =>
    wordsOf(text ?? "")
      .filter((word) => !matches(patterns, word))
      .join(" "),
  sort: ([text]) => [...new Set(wordsOf(text ?? ""))].toSorted().join(" "),
  word: ([n, text]) => wordsOf(text ?? "")[Number(n) - 1] ?? "",
  wordlist: ([from, to, text]) =>
    wordsOf(text ?? "")
      .slice(Number(from) - 1, Number(to))
      .join(" "),
  words: ([text]) => String(wordsOf(text ?? "").length),
  firstword: ([text]) => wordsOf(text ?? "")[0] ?? "",
  lastword: ([text]) => wordsOf(text ?? "").at(-1) ?? "",
  dir: ([text]) => each(text, folderOf),
  notdir: ([text]) => each(text, nameOf),
  suffix: ([text]) =>
    wordsOf(text ?? "")
      .map(suffixOf)
      .filter((found) => found !== "")
      .join(" "),
  basename: ([text]) => each(text, (word) => word.slice(0, word.length - suffixOf(word).length)),
  addprefix: ([prefix = "", text]) => each(text, (word) => prefix + word),
  addsuffix: ([suffix = "", text]) => each(text, (word) => word + suffix),
  join: ([left, right]) => {
    const [first, second] = [wordsOf(left ?? ""), wordsOf(right ?? "")];
    return Array.from({ length: Math.max(first.length, second.length) }, (_, i) => (first[i] ?? "") + (second[i] ?? "")).join(" ");
  },
  async wildcard([text], { around }) {
    const found: string[] = [];
    for (const pattern of wordsOf(text ?? "")) found.push(...(await around.wildcard(pattern)));
    return found.join(" ");
  },
  abspath: ([text], { around }) => each(text, (word) => around.absolute(word)),
  async realpath([text], { around }) {
    const found: string[] = [];
    for (const word of wordsOf(text ?? "")) if (await around.exists(word)) found.push(around.absolute(word));
    return found.join(" ");
  },
  shell: async ([line = ""], { around }) => (await around.shell(line)).replace(/\n+$/, "").replaceAll("\n", " "),
  error([text = ""], { place }) {
    throw new MakeError(`${text}.  Stop.`, place);
  },
  warning([text = ""], { around, place }) {
    around.say(`${place === null ? "" : `${place}: `}${text}\n`, "stderr");
    return "";
  },
  info([text = ""], { around }) {
    around.say(`${text}\n`, "stdout");
    return "";
  },
  value: ([name = ""], scope) => variableOf(scope, name.trim())?.text ?? "",
  origin: ([name = ""], scope) => variableOf(scope, name.trim())?.origin ?? "undefined",
  flavor([name = ""], scope) {
    const found = variableOf(scope, name.trim());
    return found === null ? "undefined" : found.isSimple ? "simple" : "recursive";
  },
  async call([name = "", ...given], scope) {
    const found = variableOf(scope, name.trim());
    if (found === null && (Object.hasOwn(functions, name.trim()) || Object.hasOwn(lazyFunctions, name.trim())))
      throw new MakeError(`$(call ${name.trim()}) is not here: use the function itself.  Stop.`, scope.place);
    if (found === null) return "";
    const own = new Map(scope.own);
    for (let i = 0; i < 9; i++) own.set(String(i + 1), simple(given[i] ?? ""));
    own.set("0", simple(name.trim()));
    return expand(found.text, { ...scope, own });
  },
  eval(_, { place }) {
    throw new MakeError("the function eval is not here: write out the rules.  Stop.", place);
  },
};

/** Functions that expand their arguments themselves. */
const lazyFunctions: Readonly<Record<string, MakeFunction>> = {
  async if([condition = "", yes = "", no = ""], scope) {
    return expand((await expand(condition.trim(), scope)) === "" ? no : yes, scope);
  },
  async or(parts, scope) {
    for (const part of parts) {
      const value = await expand(part.trim(), scope);
      if (value !== "") return value;
    }
    return "";
  },
  async and(parts, scope) {
    let value = "";
    for (const part of parts) {
      value = await expand(part.trim(), scope);
      if (value === "") return "";
    }
    return value;
  },
  async foreach([name = "", list = "", text = ""], scope) {
    const variable = (await expand(name, scope)).trim();
    const results: string[] = [];
    for (const word of wordsOf(await expand(list, scope)))
      results.push(await expand(text, { ...scope, own: new Map([...scope.own, [variable, simple(word)]]) }));
    return results.join(" ");
  },
};
