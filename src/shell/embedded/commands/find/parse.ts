import { type Context } from "../answer.ts";
import { absolute } from "../files.ts";
import { type Output, remove, runCommand } from "./actions.ts";
import type { Entry } from "./entry.ts";
import { listed, printed } from "./print.ts";
import { type Given, newerXY, plainTests, type Test, testsWithValue } from "./tests.ts";
import { zoneOf } from "../../zone.ts";
import { Wrong } from "./wrong.ts";

export interface Plan {
  readonly test: Test;
  readonly mostDepth: number;
  readonly leastDepth: number;
  /** Visit a folder after its contents. */
  readonly isDepthFirst: boolean;
  readonly follows: boolean;
  /** Runs what is left for `-exec … {} +`. */
  finish(): Promise<void>;
}

/** Requests of an expression to the walk, for the current entry. */
export interface Walk {
  /** Don't descend into the folder. */
  prune: boolean;
  /** End the walk. */
  quit: boolean;
}

const plusLimit = 131_072;

/** Parses an expression of `find`. Throws `Wrong`. */
export async function readPlan(
  words: readonly string[],
  follows: boolean,
  context: Context,
  output: Output,
  walk: Walk,
  now: number,
): Promise<Plan> {
  let at = 0;
  let hasAction = false;
  const plan = { mostDepth: Infinity, leastDepth: 0, isDepthFirst: false, follows };
  const given: { -readonly [Key in keyof Given]: Given[Key] } = {
    place: context,
    zone: zoneOf(context.exportedEnv?.["TZ"]),
    now,
    regexKind: "emacs",
  };
  const pending: (() => Promise<void>)[] = [];

  const value = (name: string): string => {
    if (at >= words.length) throw new Wrong(`missing argument to \`-${name}'`);
    return words[at++] ?? "";
  };

  async function list(): Promise<Test> {
    let left = await or();
    while (words[at] === ",") {
      at++;
      const [first, second] = [left, await or()];
      left = async (entry) => {
        await first(entry);
        return second(entry);
      };
    }
    return left;
  }

  async function or(): Promise<Test> {
    let left = await and();
    while (words[at] === "-o" || words[at] === "-or") {
      const name = words[at++] ?? "";
      if (at >= words.length) throw new Wrong(`expected an expression after ‘${name}’`);
      const [first, second] = [left, await and()];
      left = async (entry) => (await first(entry)) || second(entry);
    }
    return left;
  }

  async function and(): Promise<Test> {
    let left = await not();
    for (;;) {
      const word = words[at];
      if (word === undefined || word === ")" || word === "," || word === "-o" || word === "-or") return left;
      if (word === "-a" || word === "-and") {
        at++;
        if (at >= words.length) throw new Wrong(`expected an expression after ‘${word}’`);
      }
      const [first, second] = [left, await not()];
      left = async (entry) => (await first(entry)) && second(entry);
    }
  }

  async function not(): Promise<Test> {
    const word = words[at];
    if (word === "!" || word === "-not") {
      at++;
      if (at >= words.length) throw new Wrong(`expected an expression after ‘${word}’`);
      const inner = await not();
      return async (entry) => !(await inner(entry));
    }
    if (word !== "(") return primary();
    at++;
    if (words[at] === ")") throw new Wrong("invalid expression; empty parentheses are not allowed.");
    const inner = await list();
    if (words[at++] !== ")") throw new Wrong("invalid expression; I was expecting to find a ')' somewhere but did not see one.");
    return inner;
  }

  async function primary(): Promise<Test> {
    const word = words[at++] ?? "";
    if (word === ")") throw new Wrong("invalid expression; you have too many ')'");
    if (!word.startsWith("-")) throw new Wrong(`paths must precede expression: \`${word}'`);
    const name = word.replace(/^--?/, "");
    if (Object.hasOwn(plainTests, name)) return plainTests[name] ?? (() => false);
    const withValue = Object.hasOwn(testsWithValue, name) ? testsWithValue[name] : newerXY(name);
    if (withValue) return withValue(value(name), given);
    return option(name) ?? action(name) ?? unknown(word);
  }

  function unknown(word: string): never {
    throw new Wrong(`unknown predicate \`${word}'`);
  }

  /** Null: not an option. */
  function option(name: string): Test | null {
    const yes = (): boolean => true;
    if (name === "maxdepth" || name === "mindepth") {
      const text = value(name);
      if (!/^\d+$/.test(text)) throw new Wrong(`Expected a positive decimal integer argument to -${name}, but got ‘${text}’`);
      plan[name === "maxdepth" ? "mostDepth" : "leastDepth"] = Number(text);
      return yes;
    }
    if (name === "depth" || name === "d") plan.isDepthFirst = true;
    else if (name === "follow") plan.follows = true;
    else if (name === "regextype") {
      const kind = value(name);
      given.regexKind = /extended|egrep|awk/.test(kind) ? "extended" : /basic|grep|sed|^ed$/.test(kind) ? "basic" : "emacs";
    } else if (!/^(mount|xdev|noleaf|warn|nowarn|daystart|ignore_readdir_race|noignore_readdir_race)$/.test(name)) return null;
    return yes;
  }

  /** Null: not an action. */
  function action(name: string): Test | null {
    const does = (run: Test): Test => {
      hasAction = true;
      return run;
    };
    const says = (text: (entry: Entry) => string | Promise<string>): Test =>
      does(async (entry) => {
        output.add(await text(entry));
        return true;
      });
    switch (name) {
      case "print":
        return says(({ path }) => `${path}\n`);
      case "print0":
        return says(({ path }) => `${path}\0`);
      case "printf": {
        const format = value(name);
        return says((entry) => printed(format, entry, given.zone));
      }
      case "ls":
        return says((entry) => listed(entry, given.zone));
      case "prune":
        return () => (walk.prune = true);
      case "quit":
        return () => (walk.quit = true);
      case "delete":
        plan.isDepthFirst = true;
        return does((entry) => remove(entry, context, output));
      case "exec":
      case "execdir":
        return does(exec(name));
      case "ok":
      case "okdir":
        // No one can be asked, so the answer is no.
        exec(name);
        return does(() => false);
      default:
        return null;
    }
  }

  function exec(name: string): Test {
    const first = at;
    const isEnd = (i: number): boolean => words[i] === ";" || (words[i] === "+" && words[i - 1] === "{}");
    while (at < words.length && !isEnd(at)) at++;
    if (at >= words.length || at === first) throw new Wrong(`missing argument to \`-${name}'`);
    const command = words.slice(first, at);
    const isPlus = words[at++] === "+";
    const inFolder = name.endsWith("dir");
    const folderOf = ({ path }: Entry): string => absolute(context, inFolder ? `${path.replace(/\/+$/, "")}/..` : ".");
    const nameOf = (entry: Entry): string => (inFolder ? `./${entry.name}` : entry.path);
    if (!isPlus)
      return async (entry) =>
        (await runCommand(
          command.map((word) => word.replaceAll("{}", () => nameOf(entry))),
          folderOf(entry),
          context,
          output,
        )) === 0;
    let batch: string[] = [];
    let size = 0;
    let folder = context.cwd;
    const flush = async (): Promise<void> => {
      if (batch.length === 0) return;
      const names = batch;
      batch = [];
      size = 0;
      if ((await runCommand([...command.slice(0, -1), ...names], folder, context, output)) !== 0) output.exitCode = 1;
    };
    pending.push(flush);
    return async (entry) => {
      const next = nameOf(entry);
      if (size + next.length > plusLimit || folder !== folderOf(entry)) await flush();
      folder = folderOf(entry);
      batch.push(next);
      size += next.length + 1;
      return true;
    };
  }

  let test: Test = words.length === 0 ? () => true : await list();
  if (at < words.length)
    throw new Wrong(
      words[at] === ")" ? "invalid expression; you have too many ')'" : `paths must precede expression: \`${words[at] ?? ""}'`,
    );
  if (!hasAction) {
    const inner = test;
    test = async (entry) => {
      if (await inner(entry)) output.add(`${entry.path}\n`);
      return true;
    };
  }
  return {
    ...plan,
    test,
    async finish() {
      for (const flush of pending) await flush();
    },
  };
}
