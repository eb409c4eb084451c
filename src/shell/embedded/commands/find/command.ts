import { PatternError } from "../../posix-regex.ts";
import type { CommonHost } from "../../host.ts";
import { type Answer, type Context, failed, type Run } from "../answer.ts";
import { linkStatOf } from "../files.ts";
import { Output } from "./actions.ts";
import { type Entry, entryAt } from "./entry.ts";
import { type Plan, readPlan, type Walk } from "./parse.ts";
import { Wrong } from "./wrong.ts";

/** GNU find. No one can be asked, so `-ok` runs nothing. */
export const find =
  (host: CommonHost): Run =>
  async (args, context) => {
    const words = [...args];
    let follows = false;
    while (/^-(?:[HLP]|O\d*|D)$/.test(words[0] ?? "")) {
      if (words[0] === "-D") words.shift();
      follows = words.shift() === "-L";
    }
    const first = words.findIndex((word) => /^(?:-.|[()!,])/.test(word));
    const starts = first < 0 ? words.splice(0) : words.splice(0, first);
    const output = new Output();
    const walk: Walk = { prune: false, quit: false };
    let plan: Plan;
    try {
      plan = await readPlan(words, follows, context, output, walk, Date.now());
    } catch (error) {
      if (error instanceof Wrong || error instanceof PatternError) return failed("find", error.message);
      throw error;
    }
    const isOver = (): boolean => walk.quit || host.stop() !== null;
    for (const start of starts.length === 0 ? ["."] : starts) {
      if (isOver()) break;
      const place = /[^/]\/+$/.test(start) ? start.replace(/\/+$/, "") : start;
      if (start === "" || (await linkStatOf(context, place)) === null) output.fail(`‘${start}’: No such file or directory`);
      else if (place !== start && (await linkStatOf(context, place))?.isFile) output.fail(`‘${start}’: Not a directory`);
      else await visit(entryAt(context, start, start, 0, plan.follows), { plan, walk, context, isOver });
    }
    await plan.finish();
    const answer: Answer = { stdout: output.stdout(), stderr: output.stderr, exitCode: output.exitCode };
    return answer;
  };

interface Visit {
  readonly plan: Plan;
  readonly walk: Walk;
  readonly context: Context;
  readonly isOver: () => boolean;
}

async function visit(entry: Entry, all: Visit): Promise<void> {
  const { plan, walk, context, isOver } = all;
  const evaluate = async (): Promise<void> => {
    walk.prune = false;
    if (entry.depth >= plan.leastDepth) await plan.test(entry);
  };
  if (!plan.isDepthFirst) await evaluate();
  if (!isOver() && (plan.isDepthFirst || !walk.prune) && entry.depth < plan.mostDepth && (await entry.kind()) === "d")
    for (const name of await entry.children()) {
      if (isOver()) return;
      const path = entry.path.endsWith("/") ? entry.path + name : `${entry.path}/${name}`;
      // A command of `-exec` may have removed it.
      if ((await linkStatOf(context, path)) !== null) await visit(entryAt(context, path, entry.start, entry.depth + 1, plan.follows), all);
    }
  if (plan.isDepthFirst && !isOver()) await evaluate();
}
