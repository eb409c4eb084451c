import { readMessageFile } from "./commit.ts";
import { readRebase } from "./rebase-state.ts";
import { type Step, stepLine } from "./rebase-todo.ts";
import type { Repository } from "./repository.ts";
import { shortOid } from "./revision.ts";
import { readSequence } from "./sequence.ts";

/** A cherry-pick, revert or rebase that has stopped before its end. */
export interface UnderWay {
  /** The first line, which replaces the branch's line; null: the branch's line is shown. */
  readonly onto: string | null;
  readonly text: string;
  /** In this state git gives no advice about staged files. */
  readonly hidesAdvice: boolean;
}

export async function underWay(repo: Repository, conflicts: boolean): Promise<UnderWay | null> {
  const rebase = await rebaseText(repo, conflicts);
  if (rebase) return rebase;
  const picking = await repo.refs.resolve("CHERRY_PICK_HEAD");
  const reverting = await repo.refs.resolve("REVERT_HEAD");
  const sequence = await readSequence(repo);
  if (picking === null && reverting === null && sequence === null) return null;
  const several = sequence !== null;
  const kind = picking !== null ? "cherry-pick" : reverting !== null ? "revert" : (sequence?.kind ?? "revert");
  const oid = several ? null : (picking ?? reverting);
  const first =
    oid === null
      ? `${kind === "revert" ? "Revert" : "Cherry-pick"} currently in progress.\n` +
        (conflicts ? `  (fix conflicts and run "git ${kind} --continue")\n` : `  (run "git ${kind} --continue" to continue)\n`)
      : `You are currently ${kind}ing commit ${shortOid(oid)}.\n` +
        (conflicts ? `  (fix conflicts and run "git ${kind} --continue")\n` : `  (all conflicts fixed: run "git ${kind} --continue")\n`);
  return {
    onto: null,
    text: `${first}  (use "git ${kind} --skip" to skip this patch)\n  (use "git ${kind} --abort" to cancel the ${kind} operation)\n`,
    hidesAdvice: picking !== null,
  };
}

async function rebaseText(repo: Repository, conflicts: boolean): Promise<UnderWay | null> {
  const rebase = await readRebase(repo);
  if (rebase === null) return null;
  const onto = shortOid(rebase.onto);
  const row = async (step: Step): Promise<string> => `   ${await stepLine(repo, step, false)}\n`;
  const commands = (count: number): string => `command${count === 1 ? "" : "s"}`;
  const done = rebase.done;
  let text = "";
  if (done.length === 0) text += "No commands done.\n";
  else {
    text += `Last ${commands(done.length)} done (${done.length} ${commands(done.length)} done):\n`;
    for (const step of done.slice(-2)) text += await row(step);
    if (done.length > 2) text += "  (see more in file .git/rebase-merge/done)\n";
  }
  const { todo } = rebase;
  if (todo.length === 0) text += "No commands remaining.\n";
  else {
    text += `Next ${commands(todo.length)} to do (${todo.length} remaining ${commands(todo.length)}):\n`;
    for (const step of todo.slice(0, 2)) text += await row(step);
    text += '  (use "git rebase --edit-todo" to view and edit)\n';
  }
  const branch = (await readMessageFile(repo, "rebase-merge/head-name"))?.trim().replace("refs/heads/", "") ?? "";
  const last = done.at(-1)?.verb;
  const hasMessage = (await readMessageFile(repo, "MERGE_MSG")) !== null;
  if (!conflicts && (!hasMessage || last === "edit" || last === "exec" || last === "break")) {
    text += `You are currently editing a commit while rebasing${branch === "detached HEAD" ? "" : ` branch '${branch}' on '${onto}'`}.\n`;
    text +=
      '  (use "git commit --amend" to amend the current commit)\n  (use "git rebase --continue" once you are satisfied with your changes)\n';
    return { onto: `interactive rebase in progress; onto ${onto}`, text, hidesAdvice: false };
  }
  text +=
    branch === "" || branch === "detached HEAD"
      ? "You are currently rebasing.\n"
      : `You are currently rebasing branch '${branch}' on '${onto}'.\n`;
  text += conflicts
    ? '  (fix conflicts and then run "git rebase --continue")\n  (use "git rebase --skip" to skip this patch)\n  (use "git rebase --abort" to check out the original branch)\n'
    : '  (all conflicts fixed: run "git rebase --continue")\n';
  return { onto: `interactive rebase in progress; onto ${onto}`, text, hidesAdvice: false };
}
