import { subjectOf } from "./commit.ts";
import type { Repository } from "./repository.ts";
import { findCommit, shortOid } from "./revision.ts";
import { fatal } from "./stop.ts";
import type { Commit, Oid } from "./store/model.ts";

/** A line of a rebase's todo list. */
export type Step =
  | { readonly verb: "pick" | "reword" | "edit" | "drop"; readonly oid: Oid }
  | { readonly verb: "squash" | "fixup"; readonly oid: Oid }
  | { readonly verb: "exec"; readonly command: string }
  | { readonly verb: "break" };

const verbs: Readonly<Record<string, Step["verb"]>> = {
  p: "pick",
  r: "reword",
  e: "edit",
  s: "squash",
  f: "fixup",
  d: "drop",
  x: "exec",
  b: "break",
};

export async function parseTodo(repo: Repository, text: string): Promise<Step[]> {
  const steps: Step[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#") || line.trim() === "noop") continue;
    const [, word = "", rest = ""] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? [];
    const verb = (Object.hasOwn(verbs, word) ? verbs[word] : undefined) ?? Object.values(verbs).find((name) => name === word);
    if (verb === undefined) fatal(`Vibey's git can't do this line of a rebase: ${line}`);
    if (verb === "break") steps.push({ verb });
    else if (verb === "exec") steps.push({ verb, command: rest });
    else {
      const name = rest.split(/\s/)[0] ?? "";
      if (name.startsWith("-")) fatal(`Vibey's git can't do this line of a rebase: ${line}`);
      steps.push({ verb, oid: (await findCommit(repo, name)) ?? fatal(`could not parse '${name}'`) });
    }
  }
  return steps;
}

/** The step's line in the list. `whole`: with the full hash. */
export async function stepLine(repo: Repository, step: Step, whole: boolean): Promise<string> {
  if (step.verb === "break") return "break";
  if (step.verb === "exec") return `exec ${step.command}`;
  const { message } = await repo.objects.commit(step.oid);
  return `${step.verb} ${whole ? step.oid : shortOid(step.oid)} ${subjectOf(message)}`;
}

export async function todoText(repo: Repository, steps: readonly Step[], about: string): Promise<string> {
  let text = "";
  for (const step of steps) text += `${await stepLine(repo, step, false)}\n`;
  return `${text === "" ? "noop\n" : text}\n# Rebase ${about} (${steps.length} command${steps.length === 1 ? "" : "s"})\n${help}`;
}

/** git's own text, without what is missing here. */
const help = `#
# Commands:
# p, pick <commit> = use commit
# r, reword <commit> = use commit, but edit the commit message
# e, edit <commit> = use commit, but stop for amending
# s, squash <commit> = use commit, but meld into previous commit
# f, fixup <commit> = like "squash" but keep only the previous
#                    commit's log message
# x, exec <command> = run command (the rest of the line) using shell
# b, break = stop here (continue rebase later with 'git rebase --continue')
# d, drop <commit> = remove commit
#
# These lines can be re-ordered; they are executed from top to bottom.
#
# If you remove a line here THAT COMMIT WILL BE LOST.
#
# However, if you remove everything, the rebase will be aborted.
#
`;

/** `--autosquash`: moves "fixup! subject" and "squash! subject" right after the commit that they are for. */
export function autosquashed(commits: readonly Commit[]): Step[] {
  const groups: { readonly commit: Commit; readonly steps: Step[] }[] = [];
  for (const commit of commits) {
    const subject = subjectOf(commit.message);
    const [, word, named = ""] = /^(fixup|squash)! (.*)$/.exec(subject) ?? [];
    const target = named.replace(/^(?:(?:fixup|squash)! )+/, "");
    const group =
      word === undefined
        ? undefined
        : (groups.find((one) => subjectOf(one.commit.message) === target) ??
          groups.find((one) => /^[0-9a-f]{4,40}$/.test(target) && one.commit.oid.startsWith(target)) ??
          groups.find((one) => subjectOf(one.commit.message).startsWith(target)));
    if (group) group.steps.push({ verb: word === "squash" ? "squash" : "fixup", oid: commit.oid });
    else groups.push({ commit, steps: [{ verb: "pick", oid: commit.oid }] });
  }
  return groups.flatMap(({ steps }) => steps);
}

/** `--exec`: adds the commands after each resulting commit. */
export function withCommands(steps: readonly Step[], commands: readonly string[]): Step[] {
  if (commands.length === 0) return [...steps];
  const ends = (i: number): boolean => {
    const next = steps[i + 1];
    return next?.verb !== "fixup" && next?.verb !== "squash";
  };
  return steps.flatMap((step, i) => (ends(i) ? [step, ...commands.map((command): Step => ({ verb: "exec", command }))] : [step]));
}
