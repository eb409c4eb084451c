/** Command lines that run one after the other. `recorded.json` has what git printed. */
export const recordedSequences: Readonly<Record<string, readonly string[]>> = {
  "a cherry-pick or revert that goes on with its first options": [
    "git init -q; seq 1 9 > a; git add .; git commit -qm base; git checkout -qb t; sed -i s/^3$/three/ a; git commit -qam three; sed -i s/^9$/nine/ a; git commit -qam nine; echo new > new; git add new; git commit -qm 'Add new'; git checkout -q main; sed -i s/^3$/drei/ a; git commit -qam drei",
    "git cherry-pick -x t~3..t; cat .git/sequencer/opts .git/MERGE_MSG; git cherry-pick --continue -x 2>&1; git cherry-pick --skip -m 1 2>&1",
    "seq 1 9 > a; git add a; git cherry-pick --continue --no-edit; git log -3 --format=%B",
    "git reset -q --hard HEAD~3; git cherry-pick -X ours t~2 t~1; cat .git/sequencer/opts; git reset -q --hard; echo x > x; git add x; git commit -qm x; git cherry-pick --continue; git log -2 --format=%s",
    "git reset -q --hard HEAD~2; git checkout -qb u; sed -i s/^9$/neun/ a; git commit -qam neun; git merge -q -X ours --no-ff -m m t >/dev/null; git checkout -q t; sed -i s/^nine$/IX/ a; git commit -qam IX; git cherry-pick -m 1 u u; cat .git/sequencer/opts; git status -s; git cherry-pick --abort",
    "git checkout -q u; git revert --no-edit -m 1 HEAD HEAD~1; cat .git/sequencer/opts; git status -s; git checkout --theirs a 2>&1; git add a; git revert --continue --no-edit; git log -3 --format=%B; git status -s",
    "git cherry-pick t~1 t 2>/dev/null >&2; git reset -q --hard; git cherry-pick t t~1 2>&1; git cherry-pick --quit",
  ],
  "names beyond ASCII, and core.quotePath": [
    "git init -q; mkdir dü; echo 1 > ü.txt; echo 1 > 'a b'; printf 'x' > dü/é; echo 1 > $'t\\tab'; echo t > 'q\"uote'; git add .; git commit -qm one",
    "git ls-files; git ls-files -z | md5sum; git -c core.quotePath=false ls-files; git ls-files -s ü.txt; git ls-tree -r HEAD; git -c core.quotepath=off ls-tree -r HEAD; git ls-tree -rz HEAD | md5sum; git cat-file -p HEAD:dü",
    "echo 2 > ü.txt; echo 2 > dü/é; echo n > ñ; git status; git status -s; git status -sz | md5sum; git config core.quotePath false; git status; git status -s; git status --porcelain; git status --porcelain=v2; git diff; git diff --stat; git diff --raw; git diff --name-status; git diff --numstat",
    "git config --unset core.quotePath; git diff; git diff --raw; git diff --raw -z | md5sum; git diff-files; git diff-index HEAD; git diff --numstat",
    "git mv 'a b' 'ä b'; git commit -qam 'mv'; git log --name-status --format=%s -1; git -c core.quotepath=false log --name-status --format=%s -1; git -c core.quotepath=false log --stat --format=%s -1; git -c core.quotepath=false show --format=%s",
    "git grep 2; git -c core.quotepath=false grep 2; git grep -lz 2 | md5sum; echo 'ñ' > .gitignore; git check-ignore -v ñ; git check-ignore ñ; git -c core.quotepath=false check-ignore ñ; rm .gitignore; git clean -n; git -c core.quotepath=false clean -n; git add ñ",
    "git commit -m 'add'; git -c core.quotepath=false commit --amend -m 'add2'; git -c core.quotepath=false diff --summary HEAD~2; git -c core.quotepath=false diff-tree -r HEAD; git diff-tree -r HEAD",
  ],
};
