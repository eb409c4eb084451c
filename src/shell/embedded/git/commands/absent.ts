/** Commands of git's that are not here. */
const names = new Set(
  (
    "blame bisect submodule worktree grep describe archive am apply format-patch gc fsck notes bundle show-ref " +
    "for-each-ref update-ref symbolic-ref hash-object write-tree commit-tree read-tree update-index diff-tree diff-index diff-files range-diff filter-branch sparse-checkout " +
    "lfs mergetool difftool cherry count-objects pack-refs prune repack var whatchanged name-rev verify-commit check-attr annotate " +
    "replace rerere request-pull send-email svn gui daemon instaweb maintenance help"
  ).split(" "),
);

/** Whether git has a command of this name, so that it is missing here and no slip of the hand. */
export function isGitCommand(name: string): boolean {
  return names.has(name);
}
