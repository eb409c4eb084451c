import { announce, cleanMessage, indexTree, moveHead, readMessageFile, subjectOf, writeMessageFile } from "./commit.ts";
import { edited } from "./editor.ts";
import type { Favor } from "./merge-trees.ts";
import { pickOne } from "./pick.ts";
import type { Step } from "./rebase-todo.ts";
import type { Repository } from "./repository.ts";
import { shortOid } from "./revision.ts";
import type { Run } from "./run.ts";
import { fatal } from "./stop.ts";
import type { Commit, Oid } from "./store/model.ts";
import { blockers, refuseBlocked, switchTree } from "./switch-tree.ts";
import { formatDate } from "./text/dates.ts";

export interface StepsOptions {
  readonly favor: Favor;
  readonly squashOnto: Oid | null;
  /** `--force-rebase`: makes each commit again. */
  readonly isForced: boolean;
}

/** Returns the exit code if the rebase stops, or null if it continues. */
export async function doStep(
  run: Run,
  repo: Repository,
  step: Step,
  next: Step | undefined,
  { favor, squashOnto, isForced }: StepsOptions,
): Promise<number | null> {
  switch (step.verb) {
    case "drop":
      return null;
    case "break": {
      const head = await repo.objects.commit((await repo.refs.resolve("HEAD")) ?? "");
      run.err(`Stopped at ${shortOid(head.oid)} (${subjectOf(head.message)})\n`);
      return 0;
    }
    case "exec":
      return execute(run, step.command);
    case "squash":
    case "fixup":
      return meld(run, repo, step, next?.verb === "squash" || next?.verb === "fixup", favor);
    default: {
      const head = await repo.refs.resolve("HEAD");
      const commit = await repo.objects.commit(step.oid);
      const isRoot = head !== null && head === squashOnto;
      const isNext = isRoot ? commit.parents.length === 0 : commit.parents[0] === head && commit.parents.length === 1;
      if (isNext && head !== null && !isForced) await fastForward(repo, head, step.oid);
      else {
        const picked = await pickOne(run, repo, { ...pickOf(step.oid, false, favor), isRoot });
        if (picked === "empty") run.err(`dropping ${step.oid} ${subjectOf(commit.message)} -- patch contents already upstream\n`);
        if (picked === "conflict") return tellConflict(run, commit);
      }
      if (step.verb === "reword") await reword(run, repo);
      if (step.verb === "edit") {
        await repo.refs.set("REBASE_HEAD", step.oid);
        await writeMessageFile(repo, "rebase-merge/amend", `${(await repo.refs.resolve("HEAD")) ?? ""}\n`);
        run.err(
          `Stopped at ${shortOid(step.oid)}...  ${subjectOf(commit.message)}\nYou can amend the commit now, with\n\n  git commit --amend \n\nOnce you are satisfied with your changes, run\n\n  git rebase --continue\n`,
        );
        return 0;
      }
      return null;
    }
  }
}

const pickOf = (commit: Oid, onlyStage: boolean, favor: Favor) =>
  ({ kind: "rebase", commit, mainline: null, onlyStage, saysSource: false, keepsEmpty: true, favor }) as const;

function tellConflict(run: Run, commit: Commit): number {
  const about = `${shortOid(commit.oid)}... ${subjectOf(commit.message)}`;
  run.err(
    `error: could not apply ${about}\nhint: Resolve all conflicts manually, mark them as resolved with\nhint: "git add/rm <conflicted_files>", then run "git rebase --continue".\nhint: You can instead skip this commit: run "git rebase --skip".\nhint: To abort and get back to the state before "git rebase", run "git rebase --abort".\nCould not apply ${about}\n`,
  );
  return 1;
}

/** HEAD is already the commit's parent, so the commit is used unchanged. */
async function fastForward(repo: Repository, head: Oid, to: Oid): Promise<void> {
  const index = await repo.readIndex();
  const [before, after] = [await repo.snapshot(head), await repo.snapshot(to)];
  refuseBlocked(await blockers(repo, index, before, after), "merge");
  await switchTree(repo, index, before, after);
  await repo.writeIndex(index);
  await repo.refs.detach(to);
  await repo.refs.log(head, to, await repo.committer(), `rebase: fast-forward`);
}

async function execute(run: Run, command: string): Promise<number | null> {
  run.err(`Executing: ${command}\n`);
  if (!run.shell.execute) return fatal(`no command can be run from here: ${command}`);
  const done = await run.shell.execute(["sh", "-c", command]);
  run.out(done.stdout);
  run.err(done.stderr);
  if (done.exitCode === 0) return null;
  run.err(`warning: execution failed: ${command}\nYou can fix the problem, and then run\n\n  git rebase --continue\n\n\n`);
  return 1;
}

/** Replaces HEAD's commit by one with another tree or message. */
export async function amend(run: Run, repo: Repository, tree: Oid, message: string, why: string): Promise<void> {
  const head = await repo.objects.commit((await repo.refs.resolve("HEAD")) ?? fatal("there is no HEAD"));
  const { parents, author } = head;
  const committer = await repo.committer();
  const oid = await repo.writeCommit({ tree, parents, author, committer, message });
  const subject = subjectOf(message);
  await moveHead(repo, oid, `rebase (${why}): ${subject}`);
  if (why === "fixup") return;
  const showDate = formatDate(author, "default", run.shell.now());
  run.out(await announce(repo, { oid, subject, parents, author, committer, showDate, amends: true }));
}

async function reword(run: Run, repo: Repository): Promise<void> {
  const { tree, message } = await repo.objects.commit((await repo.refs.resolve("HEAD")) ?? fatal("there is no HEAD"));
  const text = await edited(
    run,
    repo,
    "message",
    `${repo.gitdir}/COMMIT_EDITMSG`,
    `${message}\n# Please enter the commit message for your changes.\n`,
  );
  await amend(run, repo, tree, cleanMessage(text, true), "reword");
}

/** `squash` and `fixup`: adds the change to HEAD. `more`: the next step does so as well, so the message is edited later. */
async function meld(
  run: Run,
  repo: Repository,
  { verb, oid }: { readonly verb: "squash" | "fixup"; readonly oid: Oid },
  more: boolean,
  favor: Favor,
): Promise<number | null> {
  const head = await repo.objects.commit((await repo.refs.resolve("HEAD")) ?? fatal("there is no HEAD"));
  const commit = await repo.objects.commit(oid);
  const so =
    (await readMessageFile(repo, squashFile)) ??
    `# This is a combination of 2 commits.\n# This is the 1st commit message:\n\n${head.message}`;
  const count = (so.match(/^# (?:This is the|The) (?:1st )?commit message/gm) ?? []).length + 1;
  const own =
    verb === "squash"
      ? `\n# This is the commit message #${count}:\n\n${commit.message}`
      : `\n# The commit message #${count} will be skipped:\n\n${commit.message.replaceAll(/^/gm, "# ").trimEnd()}\n`;
  const text = (so + own).replace(/^# This is a combination of \d+/, `# This is a combination of ${count}`);
  await writeMessageFile(repo, squashFile, text);
  if ((await pickOne(run, repo, pickOf(oid, true, favor))) === "conflict") {
    await repo.refs.set("REBASE_HEAD", oid);
    return tellConflict(run, commit);
  }
  await finishMeld(run, repo, more);
  return null;
}

export const squashFile = "rebase-merge/message-squash";

export async function finishMeld(run: Run, repo: Repository, more: boolean): Promise<void> {
  const head = await repo.objects.commit((await repo.refs.resolve("HEAD")) ?? fatal("there is no HEAD"));
  const text = (await readMessageFile(repo, squashFile)) ?? "";
  const tree = await indexTree(repo, await repo.readIndex());
  const asks = !more && /^# This is the commit message #/m.test(text);
  if (!asks) {
    await amend(run, repo, tree, head.message, "fixup");
    if (!more) await repo.files.remove(`${repo.gitdir}/${squashFile}`, repo.gitdir);
    return;
  }
  const message = await edited(run, repo, "message", `${repo.gitdir}/COMMIT_EDITMSG`, text);
  await amend(run, repo, tree, cleanMessage(message, true), "squash");
  await repo.files.remove(`${repo.gitdir}/${squashFile}`, repo.gitdir);
}
