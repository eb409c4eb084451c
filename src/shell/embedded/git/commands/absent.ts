/** git commands that are missing here, and what to use instead. */
const instead: readonly (readonly [names: string, why: string])[] = [
  ["replace", "write it into a commit message or a tag"],
  ["bundle", "use git format-patch, git archive or git clone of a folder"],
  ["filter-branch", "use git rebase, git cherry-pick or git commit --amend"],
  ["range-diff", "use git cherry -v, or diff <(git log -p A) <(git log -p B)"],
  ["difftool mergetool gui", "there is no window; use git diff and edit the files"],
  ["merge-tree merge-file update-server-info", "use git add, git commit and git merge"],
  ["repack maintenance pack-objects unpack-objects verify-pack", "nothing has to be packed here"],
  ["verify-commit verify-tag check-mailmap", "there are no signatures here"],
  ["sparse-checkout lfs", "all files are checked out here"],
  ["rerere request-pull send-email svn p4 instaweb daemon", "use git format-patch to hand changes on"],
  ["interpret-trailers", "use git log --format='%(trailers)'"],
  ["help", "git --help lists the commands that are here"],
  ["citool column credential", "there is no terminal here"],
];

const reasons = new Map(instead.flatMap(([names, why]) => names.split(" ").map((name) => [name, why] as const)));

/** What to use instead of a git command that is missing here. Null: git has no such command either. */
export function insteadOfGitCommand(name: string): string | null {
  return reasons.get(name) ?? null;
}

export const absentGitCommands: readonly string[] = [...reasons.keys()];
