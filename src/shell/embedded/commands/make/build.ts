import { expand, type Scope, type Surroundings, valueOf } from "./expand.ts";
import { type Makefile, MakeError, type RecipeLine, type Rule, stemOf, type Variable, wordsOf } from "./makefile.ts";

/** What running recipes needs. */
export interface Runner {
  /** Runs a recipe's line in a shell with these variables exported, and returns its exit code. Output is printed while it runs. */
  run(line: string, exported: Readonly<Record<string, string>>): Promise<number>;
  /** Milliseconds; null: the file does not exist. */
  modified(path: string): Promise<number | null>;
  touch(path: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface BuildOptions {
  /** `-n` */
  readonly dryRun: boolean;
  /** `-s` */
  readonly silent: boolean;
  /** `-B` */
  readonly always: boolean;
  /** `-k` */
  readonly keepGoing: boolean;
  /** `-i` */
  readonly ignoreErrors: boolean;
  /** `-t` */
  readonly touch: boolean;
  /** `-q` */
  readonly question: boolean;
  /** `make`, or `make[1]` */
  readonly name: string;
}

interface Found {
  readonly prerequisites: readonly string[];
  readonly orderOnly: readonly string[];
  readonly recipe: readonly RecipeLine[];
  readonly stem: string;
}

/** The result of building a target. */
interface Made {
  /** Something was done, or had to be. */
  readonly isNew: boolean;
  /** Milliseconds; null: the file does not exist. */
  readonly time: number | null;
  readonly failed: boolean;
}

/** Ends the whole run because a recipe failed. */
class RecipeFailed extends Error {
  override readonly name = "RecipeFailed";
}

const fixed = (text: string): Variable => ({ text, isSimple: true, origin: "default" });

export class Builder {
  private readonly made = new Map<string, Made>();
  private readonly open: string[] = [];
  private readonly phony: ReadonlySet<string>;
  private readonly silent: ReadonlySet<string> | "all";
  private readonly isOneShell: boolean;
  private readonly deletesHalves: boolean;
  private readonly tried = new Set<string>();
  /** Pattern rules that are being tried. It keeps a rule from leading to itself endlessly. */
  private readonly leading = new Set<Rule>();
  private hasRun = false;
  /** The targets whose own recipe failed. */
  private readonly hasFailed = new Set<string>();
  /** The exit code of `-q`, or of the failure. */
  exitCode = 0;

  private readonly makefile: Makefile;
  private readonly around: Surroundings;
  private readonly runner: Runner;
  private readonly options: BuildOptions;

  constructor(makefile: Makefile, around: Surroundings, runner: Runner, options: BuildOptions) {
    this.makefile = makefile;
    this.around = around;
    this.runner = runner;
    this.options = options;
    const named = (name: string): Rule[] => makefile.rules.filter(({ targets }) => targets.includes(name));
    this.phony = new Set(named(".PHONY").flatMap(({ prerequisites }) => prerequisites));
    const silent = named(".SILENT");
    this.silent = silent.some(({ prerequisites }) => prerequisites.length === 0)
      ? "all"
      : new Set(silent.flatMap((rule) => rule.prerequisites));
    this.isOneShell = named(".ONESHELL").length > 0;
    this.deletesHalves = named(".DELETE_ON_ERROR").length > 0;
  }

  async goal(target: string): Promise<void> {
    this.hasRun = false;
    let made: Made;
    try {
      made = await this.make(target, null, new Map());
    } catch (error) {
      if (error instanceof RecipeFailed) return;
      throw error;
    }
    if (made.failed && this.exitCode === 2 && !this.hasFailed.has(target))
      this.around.say(`${this.options.name}: Target '${target}' not remade because of errors.\n`, "stderr");
    else if (!made.failed && !this.hasRun && !this.options.silent && !this.options.question) {
      const hasRecipe = (await this.find(target))?.recipe.length ?? 0;
      const what = this.phony.has(target) || hasRecipe === 0 ? `Nothing to be done for '${target}'.` : `'${target}' is up to date.`;
      this.around.say(`${this.options.name}: ${what}\n`, "stdout");
    }
  }

  private async make(target: string, by: string | null, inherited: ReadonlyMap<string, Variable>): Promise<Made> {
    const known = this.made.get(target);
    if (known !== undefined) return known;
    if (this.open.includes(target)) {
      this.around.say(`${this.options.name}: Circular ${by ?? ""} <- ${target} dependency dropped.\n`, "stderr");
      return { isNew: false, time: null, failed: false };
    }
    const found = await this.find(target);
    const time = this.phony.has(target) ? null : await this.runner.modified(target);
    if (found === null) {
      if (time === null) return this.missing(target, by);
      return this.note(target, { isNew: false, time, failed: false });
    }
    const own = new Map([...inherited, ...this.ownOf(target)]);
    this.open.push(target);
    const fresh: string[] = [];
    let isDue = time === null || this.options.always;
    let failed = false;
    for (const each of found.prerequisites) {
      const made = await this.make(each, target, own);
      failed ||= made.failed;
      if (made.isNew || time === null || (made.time !== null && made.time > time)) fresh.push(each);
      if (made.isNew || (made.time !== null && time !== null && made.time > time)) isDue = true;
    }
    for (const each of found.orderOnly) failed ||= (await this.make(each, target, own)).failed;
    this.open.pop();
    if (failed) return this.note(target, { isNew: false, time, failed: true });
    if (!isDue) return this.note(target, { isNew: false, time, failed: false });
    const done = await this.remake(target, found, fresh, own);
    const now = this.phony.has(target) ? null : await this.runner.modified(target);
    return this.note(target, { isNew: done === "done", time: now, failed: done === "failed" });
  }

  private note(target: string, made: Made): Made {
    this.made.set(target, made);
    return made;
  }

  private missing(target: string, by: string | null): Made {
    const message = `No rule to make target '${target}'${by === null ? "" : `, needed by '${by}'`}.`;
    if (!this.options.keepGoing) throw new MakeError(`${message}  Stop.`);
    this.around.say(`${this.options.name}: *** ${message}\n`, "stderr");
    this.exitCode = 2;
    return this.note(target, { isNew: false, time: null, failed: true });
  }

  private ownOf(target: string): Map<string, Variable> {
    const own = new Map<string, Variable>();
    for (const [pattern, variables] of this.makefile.ownVariables)
      if (stemOf(pattern, target) !== null) for (const [name, value] of variables) own.set(name, value);
    return own;
  }

  /** Combines the rules of a target; null if there is none. */
  private async find(target: string): Promise<Found | null> {
    const rules = this.makefile.rules.filter(({ targets }) => targets.includes(target));
    const withRecipe = rules.findLast(({ recipe }) => recipe.length > 0);
    const stem = withRecipe?.pattern == null ? "" : (stemOf(withRecipe.pattern, target) ?? "");
    const filled = (names: readonly string[]): string[] => names.map((name) => name.replace("%", () => stem));
    const ordered = withRecipe === undefined ? rules : [withRecipe, ...rules.filter((rule) => rule !== withRecipe)];
    const explicit = {
      prerequisites: [...new Set(ordered.flatMap(({ prerequisites }) => filled(prerequisites)))],
      orderOnly: [...new Set(ordered.flatMap(({ orderOnly }) => filled(orderOnly)))],
    };
    if (withRecipe !== undefined) return { ...explicit, recipe: withRecipe.recipe, stem };
    const implicit = this.phony.has(target) ? null : await this.byPattern(target);
    if (implicit !== null)
      return {
        ...implicit,
        prerequisites: [...new Set([...implicit.prerequisites, ...explicit.prerequisites])],
        orderOnly: [...implicit.orderOnly, ...explicit.orderOnly],
      };
    return rules.length === 0 ? null : { ...explicit, recipe: [], stem: "" };
  }

  /** The first pattern rule whose prerequisites exist or can be built; the shortest stem comes first. */
  private async byPattern(target: string): Promise<Found | null> {
    if (this.tried.has(target)) return null;
    this.tried.add(target);
    const rules = this.makefile.rules
      .filter(({ targets, recipe, pattern }) => pattern === null && recipe.length > 0 && targets.some((each) => each.includes("%")))
      .flatMap((rule) => {
        const stems = rule.targets.map((pattern) => this.stemIn(pattern, target)).filter((found) => found !== null);
        const [first] = stems.toSorted((a, b) => a.stem.length - b.stem.length);
        return first === undefined ? [] : [{ rule, ...first }];
      })
      .toSorted((a, b) => a.stem.length - b.stem.length);
    try {
      for (const { rule, stem, folder } of rules) {
        if (this.leading.has(rule)) continue;
        const fill = (names: readonly string[]): string[] =>
          names.map((name) => (name.includes("%") ? folder + name.replace("%", () => stem) : name));
        const prerequisites = fill(rule.prerequisites);
        let isPossible = true;
        this.leading.add(rule);
        for (const each of prerequisites) isPossible &&= await this.canBeMade(each);
        this.leading.delete(rule);
        if (isPossible) return { prerequisites, orderOnly: fill(rule.orderOnly), recipe: rule.recipe, stem: folder + stem };
      }
      return null;
    } finally {
      this.tried.delete(target);
    }
  }

  /** A pattern without a slash is matched with the file name only, and the folder is put in front of the prerequisites. */
  private stemIn(pattern: string, target: string): { readonly stem: string; readonly folder: string } | null {
    if (!pattern.includes("%")) return null;
    const folder = pattern.includes("/") ? "" : target.slice(0, target.lastIndexOf("/") + 1);
    const stem = stemOf(pattern, target.slice(folder.length));
    return stem === null || stem === "" ? null : { stem, folder };
  }

  private async canBeMade(target: string): Promise<boolean> {
    if ((await this.runner.modified(target)) !== null) return true;
    if (
      this.makefile.rules.some(
        ({ targets, prerequisites }) =>
          targets.includes(target) || (prerequisites.includes(target) && targets.every((each) => !each.includes("%"))),
      )
    )
      return true;
    return (await this.byPattern(target)) !== null;
  }

  private async remake(
    target: string,
    found: Found,
    fresh: readonly string[],
    own: Map<string, Variable>,
  ): Promise<"done" | "failed" | "nothing"> {
    const { recipe, prerequisites, stem } = found;
    const before = await this.runner.modified(target);
    if (recipe.length === 0) return prerequisites.length === 0 || this.phony.has(target) ? "done" : "nothing";
    if (this.options.question) {
      this.exitCode = 1;
      this.hasRun = true;
      return "done";
    }
    const first = recipe[0];
    const scope: Scope = {
      makefile: this.makefile,
      around: this.around,
      own: new Map([...own, ...automatic(target, found, fresh, stem)]),
      open: [],
      place: first === undefined ? null : `${first.file}:${first.line}`,
    };
    if (this.options.touch) {
      if (this.phony.has(target)) return "done";
      this.around.say(`touch ${target}\n`, "stdout");
      this.hasRun = true;
      await this.runner.touch(target);
      return "done";
    }
    // In a single shell, the prefixes of the first line apply to all lines.
    const joined = recipe
      .map(({ text }, i) => (i === 0 ? text : text.replace(/^[\s@+-]*/, (marks) => marks.replaceAll(/[@+-]/g, ""))))
      .join("\n");
    const lines = this.isOneShell ? [{ ...(first ?? { file: "", line: 0 }), text: joined }] : recipe;
    const exported = await this.exported(scope);
    const options = await shellOptions(scope);
    for (const recipeLine of lines) {
      const { text, file, line } = recipeLine;
      const whole = await expand(text, scope);
      for (const expanded of this.isOneShell ? [whole] : whole.split(/(?<!\\)\n(?=\S)/)) {
        const code = await this.runLine(expanded, recipeLine, target, exported, options);
        if (code === 0) continue;
        this.exitCode = 2;
        this.around.say(`${this.options.name}: *** [${file}:${line}: ${target}] Error ${code}\n`, "stderr");
        this.hasFailed.add(target);
        await this.deleteHalf(target, before);
        if (!this.options.keepGoing) throw new RecipeFailed();
        return "failed";
      }
    }
    return "done";
  }

  /** `.DELETE_ON_ERROR`: removes what a recipe wrote before it failed. */
  private async deleteHalf(target: string, before: number | null): Promise<void> {
    const now = this.phony.has(target) || !this.deletesHalves ? null : await this.runner.modified(target);
    if (now === null || now === before) return;
    this.around.say(`${this.options.name}: *** Deleting file '${target}'\n`, "stderr");
    await this.runner.remove(target);
  }

  /** Returns the exit code that counts. */
  private async runLine(
    expanded: string,
    { text: written, file, line: number }: RecipeLine,
    target: string,
    exported: Readonly<Record<string, string>>,
    options: string,
  ): Promise<number> {
    const [, marks = "", line = ""] = /^([\s@+-]*)([^]*)$/.exec(expanded) ?? [];
    if (line.trim() === "") return 0;
    const isSilent = marks.includes("@") || this.options.silent || this.silent === "all" || this.silent.has(target);
    if (this.options.dryRun || !isSilent) this.around.say(`${line}\n`, "stdout");
    this.hasRun = true;
    const isAlways = marks.includes("+") || /\$[({]MAKE[)}]/.test(written);
    if (this.options.dryRun && !isAlways) return 0;
    const code = await this.runner.run(options + line, exported);
    if (code === 0 || !(marks.includes("-") || this.options.ignoreErrors)) return code;
    this.around.say(`${this.options.name}: [${file}:${number}: ${target}] Error ${code} (ignored)\n`, "stderr");
    return 0;
  }

  private async exported(scope: Scope): Promise<Record<string, string>> {
    const given: Record<string, string> = {};
    for (const [name, { origin }] of this.makefile.variables) {
      const isExported =
        this.makefile.exported.has(name) ||
        origin === "command line" ||
        origin === "environment" ||
        (this.makefile.isAllExported && origin === "file");
      if (isExported && /^[A-Za-z_]\w*$/.test(name)) given[name] = await valueOf(scope, name);
    }
    return given;
  }
}

/** The settings that a recipe's shell makes before its line, according to `SHELL` and `.SHELLFLAGS`. */
async function shellOptions(scope: Scope): Promise<string> {
  const shell = await valueOf(scope, "SHELL");
  if (!/(?:^|[/ ])(?:ba|da|a)?sh$/.test(shell.trim()))
    throw new MakeError(`SHELL = ${shell} is not here: only sh and bash are.  Stop.`, scope.place);
  const flags = wordsOf(await valueOf(scope, ".SHELLFLAGS"));
  const options: string[] = [];
  for (let at = 0; at < flags.length; at++) {
    const flag = flags[at] ?? "";
    const [, letters] = /^-([euxo]*)c?$/.exec(flag) ?? [];
    if (letters === undefined) throw new MakeError(`.SHELLFLAGS with ${flag} is not here.  Stop.`, scope.place);
    if (letters !== "") options.push(letters.endsWith("o") ? `-${letters} ${flags[++at] ?? ""}` : `-${letters}`);
  }
  return options.length === 0 ? "" : `set ${options.join(" ")}\n`;
}

/** `$@`, `$<`, `$^` and the other automatic variables. */
function automatic(target: string, { prerequisites, orderOnly }: Found, fresh: readonly string[], stem: string): Map<string, Variable> {
  const values: readonly (readonly [string, readonly string[]])[] = [
    ["@", [target]],
    ["<", prerequisites.slice(0, 1)],
    ["^", prerequisites],
    ["+", prerequisites],
    ["?", fresh],
    ["*", [stem]],
    ["|", orderOnly],
  ];
  const folder = (word: string): string => (word.includes("/") ? word.slice(0, word.lastIndexOf("/")) : ".");
  return new Map(
    values.flatMap(([name, words]): [string, Variable][] => [
      [name, fixed(words.join(" "))],
      [`${name}D`, fixed(words.map(folder).join(" "))],
      [`${name}F`, fixed(words.map((word) => word.slice(word.lastIndexOf("/") + 1)).join(" "))],
    ]),
  );
}

/** The targets that `make` builds by default: those of `.DEFAULT_GOAL`, or the makefile's first target. Empty: there is none. */
export async function defaultGoals(makefile: Makefile, around: Surroundings): Promise<readonly string[]> {
  const named = wordsOf(await valueOf({ makefile, around, own: new Map(), open: [], place: null }, ".DEFAULT_GOAL"));
  return named.length > 0 ? named : makefile.firstTarget === null ? [] : [makefile.firstTarget];
}
