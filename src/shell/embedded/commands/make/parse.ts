import { expand, type Scope, type Surroundings, variableOf } from "./expand.ts";
import { type Makefile, MakeError, type RecipeLine, type Rule, type Variable, wordsOf } from "./makefile.ts";

/** Reads a file; null: it does not exist. */
export type ReadFile = (path: string) => Promise<string | null>;

interface Line {
  readonly text: string;
  readonly number: number;
}

/** Parses a makefile and those that it includes. */
export async function parse(makefile: Makefile, path: string, around: Surroundings, read: ReadFile): Promise<void> {
  const source = await read(path);
  if (source === null) throw new MakeError(`${path}: No such file or directory`);
  makefile.files.push(path);
  makefile.variables.set("MAKEFILE_LIST", { text: ` ${makefile.files.join(" ")}`, isSimple: true, origin: "default" });
  await new Reader(makefile, path, around, read).run(joined(source));
}

/** Joins lines that are continued by a backslash. */
function joined(source: string): Line[] {
  const lines: Line[] = [];
  const given = source.split("\n");
  for (let at = 0; at < given.length; at++) {
    const number = at + 1;
    let text = (given[at] ?? "").replace(/\r$/, "");
    const isRecipe = text.startsWith("\t");
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(text) && at + 1 < given.length) {
      const next = given[++at] ?? "";
      // A recipe's shell sees the backslash; one tab of the next line is removed.
      text = isRecipe ? `${text}\n${next.replace(/^\t/, "")}` : `${text.slice(0, -1).trimEnd()} ${next.trimStart()}`;
    }
    lines.push({ text, number });
  }
  return lines;
}

interface OpenRule extends Omit<Rule, "recipe"> {
  readonly recipe: RecipeLine[];
}

class Reader {
  private rule: OpenRule | null = null;
  /** For each enclosing condition, whether it holds. Null: an earlier branch held, or an outer condition does not. */
  private readonly conditions: (boolean | null)[] = [];
  private define: { readonly name: string; readonly operator: string; readonly lines: string[] } | null = null;
  private line = 0;

  private readonly makefile: Makefile;
  private readonly path: string;
  private readonly around: Surroundings;
  private readonly read: ReadFile;

  constructor(makefile: Makefile, path: string, around: Surroundings, read: ReadFile) {
    this.makefile = makefile;
    this.path = path;
    this.around = around;
    this.read = read;
  }

  async run(lines: readonly Line[]): Promise<void> {
    for (const { text, number } of lines) {
      this.line = number;
      await this.readLine(text);
    }
    if (this.conditions.length > 0) this.fail("missing 'endif'.  Stop.");
    if (this.define !== null) this.fail("missing 'endef', unterminated 'define'.  Stop.");
  }

  private scope(): Scope {
    return { makefile: this.makefile, around: this.around, own: new Map(), open: [], place: `${this.path}:${this.line}` };
  }

  private expanded(text: string): Promise<string> {
    return expand(text, this.scope());
  }

  private fail(message: string): never {
    throw new MakeError(message, `${this.path}:${this.line}`);
  }

  private async readLine(text: string): Promise<void> {
    if (this.define !== null && this.conditions.every((holds) => holds === true)) this.refuseFunctions(text);
    if (this.define !== null) {
      if (/^\s*endef\b/.test(text)) {
        const { name, operator, lines } = this.define;
        this.define = null;
        await this.assign(this.makefile.variables, name, operator, lines.join("\n"), "file");
      } else this.define.lines.push(text);
      return;
    }
    if (await this.readCondition(text)) return;
    if (this.conditions.some((holds) => holds !== true)) return;
    const isRecipe = text.startsWith("\t") && this.rule !== null;
    this.refuseFunctions(isRecipe ? text : withoutComment(text));
    if (text.startsWith("\t") && this.rule !== null) {
      this.rule.recipe.push({ text: text.slice(1), file: this.path, line: this.line });
      return;
    }
    const bare = withoutComment(text).trim();
    if (bare === "") return;
    await this.readStatement(bare, text);
  }

  /** Refuses functions that would otherwise only fail in the middle of a run. */
  private refuseFunctions(text: string): void {
    const [, name] = /(?<!\$)\$[({](eval|file|guile|let|intcmp)[ \t]/.exec(text) ?? [];
    if (name !== undefined) this.fail(`the function ${name} is not here.  Stop.`);
  }

  private async readStatement(bare: string, text: string): Promise<void> {
    const defined = /^define\s+(\S+)\s*([:?+!]?:?=)?$/.exec(bare);
    if (defined) {
      this.define = { name: defined[1] ?? "", operator: defined[2] ?? "=", lines: [] };
      return;
    }
    const included = /^(-?include|sinclude)\s+(.*)$/.exec(bare);
    if (included) {
      this.rule = null;
      return this.include(included[2] ?? "", included[1] !== "include");
    }
    const marked = /^(?:(override|export|unexport|private)\s+)(.*)$/s.exec(bare);
    if (bare === "export") this.makefile.isAllExported = true;
    else if (marked) await this.readMarked(marked[1] ?? "", marked[2] ?? "");
    else if (/^(?:vpath|load)\b/.test(bare)) this.fail(`${bare.split(" ", 1)[0]} is not here: name the folders in the rules.  Stop.`);
    else if (!(await this.readAssignment(bare))) {
      if (text.startsWith("\t")) this.fail("recipe commences before first target.  Stop.");
      await this.readRule(bare, text);
    }
  }

  private async readMarked(mark: string, rest: string): Promise<void> {
    if (mark === "override" || mark === "private") {
      if (!(await this.readAssignment(rest, mark === "override"))) this.fail("missing separator.  Stop.");
      return;
    }
    const [, name = ""] = /^([^\s:?+!=]+)\s*[:?+!]?:?=/.exec(rest) ?? [];
    const names = name === "" ? wordsOf(await this.expanded(rest)) : [name];
    if (name !== "") await this.readAssignment(rest);
    for (const each of names) {
      if (mark === "export") this.makefile.exported.add(each);
      else this.makefile.exported.delete(each);
    }
  }

  private async readAssignment(bare: string, overrides = false): Promise<boolean> {
    const found = /^([^\s:#=?+!]+|\$[({][^\s]*)\s*(\?=|\+=|!=|:::?=|::?=|=)\s?([^]*)$/.exec(bare);
    if (found === null) return false;
    const [, name = "", operator = "", value = ""] = found;
    this.rule = null;
    await this.assign(this.makefile.variables, (await this.expanded(name)).trim(), operator, value.trimStart(), "file", overrides);
    return true;
  }

  private async assign(
    into: Map<string, Variable>,
    name: string,
    operator: string,
    value: string,
    origin: Variable["origin"],
    overrides = false,
  ): Promise<void> {
    if (name === "VPATH") this.fail("VPATH is not here: name the folders in the rules.  Stop.");
    const before = into.get(name) ?? (into === this.makefile.variables ? undefined : this.makefile.variables.get(name));
    if (before?.origin === "command line" && !overrides) return;
    if (operator === "?=" && before !== undefined) return;
    if (operator === "!=") {
      const text = (await this.around.shell(await this.expanded(value))).replace(/\n+$/, "").replaceAll("\n", " ");
      into.set(name, { text, isSimple: true, origin });
    } else if (operator === "+=" && before !== undefined) {
      const added = before.isSimple ? await this.expanded(value) : value;
      into.set(name, { ...before, text: before.text === "" ? added : `${before.text} ${added}`, origin });
    } else {
      const isSimple = operator.startsWith(":");
      into.set(name, { text: isSimple ? await this.expanded(value) : value, isSimple, origin });
    }
  }

  private async include(names: string, isOptional: boolean): Promise<void> {
    for (const pattern of wordsOf(await this.expanded(names))) {
      const found = /[*?[]/.test(pattern) ? await this.around.wildcard(pattern) : [pattern];
      for (const path of found) {
        if ((await this.read(path)) !== null) await parse(this.makefile, path, this.around, this.read);
        else if (!isOptional) throw new MakeError(`${path}: No such file or directory`, `${this.path}:${this.line}`);
      }
    }
  }

  private async readRule(bare: string, text: string): Promise<void> {
    const at = colonOf(bare);
    // A line with only `$(info …)`.
    if (at < 0 && bare.startsWith("$") && (await this.expanded(bare)).trim() === "") return;
    if (at < 0)
      this.fail(/^ {8}/.test(text) ? "missing separator (did you mean TAB instead of 8 spaces?).  Stop." : "missing separator.  Stop.");
    const targets = wordsOf(await this.expanded(bare.slice(0, at)));
    const isDouble = bare.charAt(at + 1) === ":";
    this.refuseTargets(targets, isDouble);
    const rest = bare.slice(at + (isDouble ? 2 : 1));
    const own = /^\s*(?:(?:override|private|export)\s+)?([\w.-]+)\s*(\?=|\+=|::?=|=)\s*(.*)$/s.exec(rest);
    if (own) {
      this.rule = null;
      for (const target of targets) {
        const variables = this.makefile.ownVariables.get(target) ?? new Map<string, Variable>();
        this.makefile.ownVariables.set(target, variables);
        await this.assign(variables, own[1] ?? "", own[2] ?? "=", own[3] ?? "", "file");
      }
      return;
    }
    const semicolon = rest.indexOf(";");
    const recipe: RecipeLine[] = semicolon < 0 ? [] : [{ text: rest.slice(semicolon + 1).trimStart(), file: this.path, line: this.line }];
    const names = await this.expanded(semicolon < 0 ? rest : rest.slice(0, semicolon));
    const middle = names.indexOf(":");
    const pattern = middle < 0 ? null : names.slice(0, middle).trim();
    const [before = "", after = ""] = (middle < 0 ? names : names.slice(middle + 1)).split("|");
    const prerequisites: string[] = [];
    for (const word of wordsOf(before)) prerequisites.push(...(/[*?[]/.test(word) ? await this.matching(word) : [word]));
    this.rule = { targets, prerequisites, orderOnly: wordsOf(after), recipe, pattern };
    this.makefile.rules.push(this.rule);
    const first = targets.find((target) => !/^\.[^/]*$/.test(target) && !target.includes("%"));
    this.makefile.firstTarget ??= first ?? null;
  }

  /** Refuses rules that would do less than they say. */
  private refuseTargets(targets: readonly string[], isDouble: boolean): void {
    for (const target of targets) {
      if (target === ".SECONDEXPANSION" || target === ".IGNORE") this.fail(`${target} is not here.  Stop.`);
      if (/^\.[a-zA-Z]+\.[a-zA-Z]+$/.test(target)) this.fail(`the suffix rule ${target} is not here: write %.o: %.c.  Stop.`);
      if (target === ".EXPORT_ALL_VARIABLES") this.makefile.isAllExported = true;
      if (isDouble && this.makefile.rules.some((rule) => rule.targets.includes(target)))
        this.fail(`a second rule with :: for '${target}' is not here.  Stop.`);
    }
  }

  private async matching(word: string): Promise<readonly string[]> {
    const found = await this.around.wildcard(word);
    return found.length === 0 ? [word] : found;
  }

  /** Returns whether the line was part of a condition. */
  private async readCondition(text: string): Promise<boolean> {
    const bare = withoutComment(text).trim();
    const [, kind = "", rest = ""] = /^(ifeq|ifneq|ifdef|ifndef|else|endif)\b\s*(.*)$/.exec(bare) ?? [];
    if (kind === "") return false;
    if (kind === "endif") {
      if (this.conditions.pop() === undefined) this.fail("extraneous 'endif'.  Stop.");
      return true;
    }
    if (kind === "else") {
      const last = this.conditions.pop();
      if (last === undefined) this.fail("extraneous 'else'.  Stop.");
      this.conditions.push(last === false ? (rest === "" ? true : await this.holds(rest)) : null);
      return true;
    }
    const isInside = this.conditions.every((holds) => holds === true);
    this.conditions.push(isInside ? await this.holds(bare) : null);
    return true;
  }

  private async holds(condition: string): Promise<boolean> {
    const [, kind = "", rest = ""] = /^(\w+)\s*(.*)$/.exec(condition) ?? [];
    if (kind === "ifdef" || kind === "ifndef") {
      const isSet = (variableOf(this.scope(), (await this.expanded(rest)).trim())?.text ?? "") !== "";
      return isSet === (kind === "ifdef");
    }
    const quoted = /^(?:"([^"]*)"|'([^']*)')\s*(?:"([^"]*)"|'([^']*)')$/.exec(rest);
    const [left, right] = quoted ? [quoted[1] ?? quoted[2] ?? "", quoted[3] ?? quoted[4] ?? ""] : splitPair(rest);
    if (left === undefined || right === undefined) this.fail("invalid syntax in conditional.  Stop.");
    const isEqual = (await this.expanded(left.trim())) === (await this.expanded(right.trim()));
    return isEqual === (kind === "ifeq");
  }
}

/** Splits `(a,b)`. */
function splitPair(text: string): (string | undefined)[] {
  const inside = /^\((.*)\)$/s.exec(text.trim())?.[1];
  if (inside === undefined) return [];
  let depth = 0;
  for (let at = 0; at < inside.length; at++) {
    const letter = inside.charAt(at);
    if (letter === "(" || letter === "{") depth++;
    else if (letter === ")" || letter === "}") depth--;
    else if (letter === "," && depth === 0) return [inside.slice(0, at), inside.slice(at + 1)];
  }
  return [];
}

function withoutComment(text: string): string {
  return text.replace(/(^|[^\\])#.*$/s, "$1").replaceAll("\\#", "#");
}

/** The colon that ends the targets, outside of references; -1 if there is none. */
function colonOf(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === "(" || letter === "{") depth++;
    else if (letter === ")" || letter === "}") depth--;
    else if (letter === ":" && depth === 0) return at;
  }
  return -1;
}
