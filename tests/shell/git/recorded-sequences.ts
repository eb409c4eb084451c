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
  "a rebase of the root, with a preferred side, forced, or on its base": [
    "git init -q; for i in 1 2 3; do echo $i > f$i; git add .; git commit -qm c$i; done; git branch start; git rebase -q --root 2>/dev/null; git log --format='%h %s'; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/reword/' GIT_EDITOR='sed -i 1s/c1/first/' git rebase -q -i --root 2>/dev/null; git log --format='%h %s'; GIT_SEQUENCE_EDITOR='head -5' git rebase -q -i --root 2>/dev/null; GIT_SEQUENCE_EDITOR='sed -i 2s/pick/fixup/' git rebase -q -i --root 2>/dev/null; git log --format='%h %s' --stat; git reflog -5",
    "git checkout -q --orphan o; git rm -rfq .; echo z > z; git add z; git commit -qm z; git rebase -q --root --onto main 2>/dev/null; git log --format=%s; git status -s; git rebase -q --root --onto main main~1 2>/dev/null; git log --format=%s; git checkout -q main; GIT_SEQUENCE_EDITOR='sed -i 1s/pick/edit/' git rebase -q -i --root 2>/dev/null; git status; echo more > more; git add more; git commit -q --amend --no-edit; git rebase --continue 2>/dev/null; git log --format=%s --name-only",
    "GIT_SEQUENCE_EDITOR='sed -i 1d' git rebase -q -i --root 2>/dev/null; git log --format='%h %p %s'; git status; git rebase --keep-base --root 2>&1",
    "git checkout -q start; git rm -rq .; seq 1 9 > a; git add .; git commit -qm base; git checkout -qb t; sed -i s/^3$/three/ a; git commit -qam three;  sed -i s/^9$/nine/ a; git commit -qam nine; git checkout -q start; sed -i s/^3$/drei/ a; git commit -qam drei",
    "git checkout -q t; for b in t2 t3 t4 t5; do git branch $b; done; git rebase -q -X theirs start 2>/dev/null; cat a; git checkout -q t2; git rebase -q -Xours start 2>/dev/null; cat a; git log --format=%s; git checkout -q t3; git rebase -s recursive -X theirs start 2>/dev/null; git log --format=%s -1",
    "git checkout -q t; git rebase -q --force-rebase start 2>/dev/null; git rebase --no-ff start 2>/dev/null; git log --format='%h %s'; git rebase --keep-base start; git rebase --keep-base --onto x start 2>&1; git checkout -q t4; git rebase --keep-base start; git rebase -q --keep-base -f start 2>/dev/null; git log --format='%h %s' -3",
    "GIT_SEQUENCE_EDITOR='sed -i \"1i break\"' git rebase -q -X theirs -i HEAD~2 --onto start 2>/dev/null; cat .git/rebase-merge/strategy_opts; git rebase --continue 2>/dev/null; cat a; git checkout -q start; git rebase t5 2>/dev/null; git checkout -f t2 2>/dev/null; git status; git rebase --abort; git status -s",
  ],
  "cleanup of a commit's message": [
    "git init -q; echo a > a; git add a; printf 'one  \\n\\n\\n# c\\ntwo\\n\\n' > m; git commit -q --cleanup=verbatim -F m; git cat-file -p HEAD | tail -n +5 | cat -A; git commit -q --amend --cleanup=whitespace -F m; git log -1 --format=%B; git commit -q --amend --cleanup=strip -F m; git log -1 --format=%B; git commit -q --amend --cleanup=default -F m; git log -1 --format=%B; printf 'one\\n\\n# c\\n# ------------------------ >8 ------------------------\\nrest\\n' > m;  git commit -q --amend --cleanup=scissors -F m; git log -1 --format=%B; git commit -q --amend --cleanup=nope -F m 2>&1; echo $?",
    "git config commit.cleanup strip; git commit -q --amend -F m; git log -1 --format=%B; git commit -q --amend --cleanup=verbatim -m '#x '; git log -1 --format=%B | cat -A; GIT_EDITOR='sed -i \"1s/.*/kept\\n# too/\"' git commit -q --amend --cleanup=scissors; git log -1 --format=%B; git commit --amend --cleanup=strip --no-edit -q; git log -1 --format=%B; git commit -q --amend -m x -m '# y'; git log -1 --format=%B; git config commit.cleanup nope; git commit --amend -m y 2>&1; git config --unset commit.cleanup; git commit -q --amend -m ' y ' -m '#z' -m ''; git log -1 --format=%B",
  ],
  "prefixes of a diff, and commits named by their parents": [
    "git init -q; mkdir -p x/y z; echo a > x/a; echo b > x/y/b; echo c > z/c; git add .; git commit -qm one; echo 2 >> x/a; seq 1 30 >> x/y/b; echo 3 >> z/c; git add .; git commit -qm two; git branch side HEAD~1",
    "git config diff.noprefix true; git diff HEAD~1 -- z; git show --format=%s -- z; git log -p -1 --format=%s -- z;  git format-patch --stdout -1 | head -12; git config --unset diff.noprefix; git diff --no-prefix HEAD~1 -- z; git diff --src-prefix=x/ --dst-prefix=y/ HEAD~1 -- z",
    "git diff ^HEAD~1 HEAD --stat; git diff HEAD ^HEAD~1 --stat; git diff HEAD~1 ^side --stat; git diff ^HEAD --stat; git diff HEAD^! --stat; git log --oneline HEAD^!; git log --oneline HEAD^@; git log --oneline side^!; git show --format=%s -s HEAD^@; git rev-list HEAD^!; git log --oneline HEAD^-; git diff HEAD^- --stat; git log --oneline HEAD^! -- x; git log --oneline nope^! 2>&1; git checkout -q side; git cherry-pick main^! | tail -2; git rev-parse HEAD^! HEAD^@ main",
  ],
  "stashes that are created, stored, or only of what is staged": [
    "git init -q; seq 1 9 > a; echo b > b; git add .; git commit -qm base; echo x >> a; S=$(git stash create); echo $S; git stash list; git status -s; git stash create 'my msg'; S=$(git stash create); git stash store $S; git stash list; git stash store -m 'my message' $S; git stash list; git stash drop -q; git stash drop -q 2>&1; git checkout -q a; git stash create; git stash store nope 2>&1; git stash store 2>&1; git stash store HEAD; echo $?; git stash pop 2>&1; git stash show 2>&1; git stash drop 2>&1; git stash clear",
    "echo x >> a; echo y >> b; git add b; git stash push --staged; git status -s; git stash show -p; git stash pop; git status -s; git add b; git stash -S -m 'staged only'; git stash list; git status -s; git stash pop -q; git stash -k; git status -s; git stash pop; git reset -q --hard; git stash clear",
    "echo x >> a; git stash --staged 2>&1; echo $?; git add a; echo z >> a; git stash --staged 2>/dev/null; echo $?; git status -s; git diff; git stash list; git reset -q --hard; git stash clear; sed -i s/^1$/one/ a; git add a; echo n > n; git add n; git rm -q b; sed -i s/^9$/nine/ a; git stash --staged; git status -s; git diff; git stash show -p; git stash pop 2>/dev/null; git status -s; git reset -q --hard; rm -f n",
    "echo n > n; git add n; rm n; git stash; git status -s; git stash pop; git status -s; git reset -q --hard; echo '*.log' > .git/info/exclude; echo l > x.log; echo u > u; mkdir ig; echo i > ig/y.log; git stash -a; ls; git stash show --only-untracked --name-only; git stash pop; ls; git stash -a -- x.log; ls; git stash pop -q; git stash -u -S 2>&1",
  ],
  "a branch that may not be replaced by a rename": [
    "git init -q; echo 1 > a; git add .; git commit -qm one; git checkout -qb x; echo 2 > a; git commit -qam x; git branch -M main x 2>&1; git branch -m main x 2>&1; git branch; git checkout -q main; git branch -M x main 2>&1; git branch -M x y; git branch; git worktree add -q ../w y 2>/dev/null; git branch -M main y 2>/dev/null; git branch",
  ],
  "branches and tags by what they contain": [
    "git init -q; echo 1 > f; git add .; git commit -qm one; git checkout -qb topic; echo 2 > f; git commit -qam two; git tag v1; git checkout -q main; echo m > m; git add m; git commit -qm m; git checkout -q topic",
    "git branch --merged main; git branch --no-merged main; git branch --merged main --format='%(refname:short)'; git branch --no-merged main --format='%(refname:short)' ; git branch --merged; git branch --no-merged; git branch --merged nope 2>/dev/null; echo $?; git branch --contains main~1; git branch --contains main --format='%(refname)'; git branch --list --merged main 't*'; git branch --no-merged main 't*'; git branch -a --contains; git tag --contains HEAD~1; git tag --contains; git tag --merged main; git tag --merged; git for-each-ref --no-merged main --format='%(refname)'; git for-each-ref --merged main --format='%(refname)'; git branch --merged main -v; git branch -r --merged main",
  ],
  "a status during a bisect, and commits that are skipped": [
    'git init -q; for i in 1 2 3 4 5 6 7 8; do echo $i > n; git add n; git commit -qm "c$i"; done',
    "git bisect start; git status; git bisect bad; git bisect good HEAD~7; git status; git bisect good; git bisect bad; git bisect reset 2>&1; git status",
    "git bisect start; git bisect good HEAD~7; git bisect bad HEAD; git bisect skip; git bisect skip; git bisect good; git bisect reset -q 2>&1; git bisect reset nope 2>&1; git status | head -1; git bisect reset 2>&1; git branch; git checkout -q --detach; git bisect start; git status; git bisect reset 2>&1",
  ],
  "grep in color": [
    "git init -q; printf 'a\\nb\\nfoo bar foo\\n' > x; echo foo > y; mkdir s; echo 'Foo' > s/z; printf 'foo\\0x' > bin; git add .; git commit -qm one",
    "git grep foo; git grep --color=always foo; git grep -n --color=always -i foo; git grep --color foo; git grep -c --color=always foo; git grep -l --color=always foo; git grep -h --color=always -n foo; git grep -o --color=always 'fo*'; git grep -A1 -n --color=always b x; git -c color.ui=always grep foo; git -c color.grep=always grep foo",
    "git grep --color=never foo; git grep --color=always --no-color foo; git -c color.ui=always grep --no-color foo; git grep --color=always -v a x; git grep --color=always -n --column bar; git grep --color=always -e a -e foo x; git grep --color=always foo HEAD; git grep --color=auto foo",
  ],
  "notes in a log, and the end of a merge without its commit": [
    "git init -q; echo 1 > f; git add .; git commit -qm one; git notes add -m hi; git log -1; git log -1 --pretty=medium; git show -s; git show -s --pretty=full; git log -1 --oneline; git log -1 --format=%N; git log --notes -1 --format=%s",
    "git checkout -qb topic; echo 2 > f; git commit -qam two; git checkout -q main; echo 3 > f; git commit -qam three; git merge -q topic; git merge --quit; git status; ls .git | grep MERGE; git merge --quit; echo $?",
  ],
  "what clean removes, and what a ref's old value protects": [
    "git init -q; echo '*.log' > .gitignore; echo 1 > a; mkdir d; echo x > d/x; git add .; git commit -qm one; mkdir -p d/sub empty/deep q/e q/f logs; echo q > q/f/g; echo l > logs/x.log; git status -s; git clean -n; git clean -nd; git clean -nd d; git clean -nd e*; git clean -fdX -n; git clean -fdx -n; git clean -fd; ls; git clean -fdxq; ls",
    "git commit -q --allow-empty -m two; git update-ref refs/heads/x HEAD~1; git update-ref -d refs/heads/x HEAD 2>&1; git update-ref refs/heads/x HEAD HEAD 2>&1; git update-ref refs/heads/x HEAD 0000000000000000000000000000000000000000 2>&1; git update-ref refs/heads/y HEAD HEAD 2>&1; git branch -v; git update-ref refs/heads/x HEAD HEAD~1; git update-ref refs/heads/y HEAD ''; git branch -v; git update-ref -d refs/heads/x HEAD; git update-ref -d refs/heads/y nope 2>&1; git branch",
  ],
  "conflicts of a renamed file, and files in the way of folders": [
    "git init -q; seq 1 5 > a; git add .; git commit -qm one; git checkout -qb side; git mv a c; sed -i s/^3$/side/ c; mkdir e; echo e > e/e; git add .; git commit -qm mv; git checkout -q main; sed -i s/^3$/main/ a; git commit -qam main",
    "git merge side; cat c; git merge --abort; git checkout -q side; git merge main >/dev/null; cat c; git merge --abort; git cherry-pick main >/dev/null 2>&1; cat c; git cherry-pick --abort; git checkout -q main; git cherry-pick side >/dev/null 2>&1; cat c; git cherry-pick --abort",
    "echo file > e; git checkout side 2>&1; git merge side 2>&1; git reset --keep side 2>&1; git status -s; cat e; rm e; mkdir -p e/e; echo u > e/e/u; git checkout side 2>&1; git rebase side 2>&1; cat e/e/u",
  ],
  "a checkout that merges local changes": [
    "git init -q; seq 1 9 > a; echo b > b; git add .; git commit -qm base; git checkout -qb t; sed -i s/^3$/three/ a; git rm -q b; git commit -qam three; git checkout -q main",
    "sed -i s/^9$/nine/ a; git checkout -m t 2>/dev/null; git status -s; git diff; git checkout -m main 2>/dev/null; git status -s; tail -2 a; git switch -q -m t; git status -s; git switch --merge -q main; git checkout -q a",
    "sed -i s/^3$/drei/ a; echo n > n; git add n; git checkout -m t 2>&1; git reset -q n; git checkout -m t 2>/dev/null; git status -s; git diff; git ls-files -s; cat n; sed -i s/^1$/one/ a; git checkout -m a 2>&1; cat a; git checkout -m -- a 2>&1; git checkout --merge main 2>/dev/null; git checkout -q -f main; git status -s; rm n",
    "echo b2 >> b; git checkout -m t 2>/dev/null; git status -s; git ls-files -s; cat b; git checkout -m b 2>&1; git rm -q --cached b; git checkout -q -f main; sed -i s/^3$/drei/ a; echo u > u; git checkout -m -b new t 2>/dev/null; git status -s; cat u",
  ],
  "untracked files that equal the ones a switch writes": [
    "git init -q; mkdir sub; echo s > sub/s; echo a > a; git add .; git commit -qm one; git rm -rq sub --cached; git commit -qm two; git checkout HEAD~1 2>&1; git merge -q HEAD~1; git switch -q -c old HEAD~1 2>/dev/null; echo $?; git status -s; cat sub/s; git stash -q -u; git checkout -q -b old HEAD~1; git cherry-pick main >/dev/null; ls; git stash pop 2>&1; git reset --keep HEAD~1 2>&1; git reset --merge HEAD~1 2>&1; git rebase HEAD~1 2>&1; cat sub/s",
  ],
  "line endings that a file has in the index, and merge attributes": [
    "git init -q; printf 'a\\r\\nb\\r\\n' > crlf; printf 'a\\nb\\n' > lf; printf 'a\\r\\nb\\r\\n' > w; git add .; git commit -qm one; printf '*f text=auto\\n' > .gitattributes; git status -s; printf 'c\\r\\n' >> crlf; git diff | cat -A; git add crlf; git diff --cached --stat; git stash; git stash pop -q; git status -s; git commit -qam two; git add --renormalize .; git status -s; git diff --cached --stat; git ls-files --eol; git commit -qm three; git checkout -q HEAD~1; git status -s; git checkout -q main; git status -s; git ls-files --eol",
    "printf '*.un merge=union\\n*.b -merge\\n*.bin binary\\n' > .gitattributes; printf 'l\\n' > f.un; echo b > q.b; echo b > q.bin; git add .; git commit -qm u; git checkout -qb m2; printf 'l\\nm2' > f.un; git commit -qam m2; git checkout -q main; printf 'l\\nmain' > f.un; git commit -qam mm; git merge -q m2 -m merged; cat f.un; git status -s; git checkout -qb m3; printf 'b3\\n' > q.b; echo b3 > q.bin; git commit -qam m3; git checkout -q main; printf 'bm\\n' > q.b; echo bm > q.bin; git commit -qam bm; git merge m3; cat q.b q.bin; git status -s; git merge --abort; git merge -q -X theirs m3; cat q.b q.bin",
  ],
  "several commits in show": [
    "git init -q; for i in 1 2 3 4; do echo $i > f; git add f; git commit -qm c$i; done; git show --pretty=format:%h -s HEAD HEAD~1; echo; git show --format=%h -s HEAD HEAD~1; git show --oneline --stat HEAD~2..HEAD; git show -s HEAD~1 HEAD; git show --format=format:%s --name-only HEAD HEAD~1; git show -s --oneline ^HEAD~2 HEAD; git show --oneline -s HEAD~1..HEAD HEAD~3; git show HEAD:f HEAD~1:f; git show --format= --name-only HEAD~1..HEAD -- f",
  ],
  "worktrees and repositories in the folder that clean, add, and stash leave alone": [
    "git init -q; echo nm > .gitignore; echo a > a; git add .; git commit -qm one; git worktree add -q wt 2>/dev/null; mkdir d; git worktree add -q d/deep 2>/dev/null; echo u > wt/u; echo v > d/v; git status -s; git clean -nd; git clean -fd; ls wt; ls d; ls d/deep; git stash -q -u 2>/dev/null; ls wt",
    "mkdir nm; git init -q nm/p; echo x > nm/p/x; echo y > nm/y; git stash -q -a 2>/dev/null; cat nm/p/x; test -e nm/p/.git/HEAD && echo kept; test -e nm/y || echo gone; git stash show --only-untracked --name-only; git stash pop -q; cat nm/y; git status -s",
  ],
  "a file that changed after it was removed from the index, and stash --staged": [
    "git init -q; echo a > a; mkdir d; echo x > d/x; git add .; git commit -qm one; git rm -q --cached a; echo mine > a; git stash -S; cat a; git status -s; git reset -q; git checkout -q a; git rm -q --cached d/x; rm -r d; echo file > d; git stash -S; cat d; git status -s",
    "rm d; git reset -q --hard; printf 'YQpiCukKZApmCmcKaAppCg==' | base64 -d > l; seq 1 5 > m; git add .; git commit -qm l; printf 'a\\nb\\nplain\\nd\\nf\\ng\\nh\\ni\\n' > l; git add l; echo z >> l; sed -i 3s/3/x/ m; git add m; sed -i 5s/5/y/ m; git stash -S; md5sum l; cat m; git status -s; git reset -q --hard; sed -i 3s/3/x/ m; git add m; sed -i 4s/4/y/ m; git stash -S; cat m; git status -s",
  ],
  "a folder with untracked files in the way of reset --keep": [
    "git init -q; echo a > a; git add .; git commit -qm one; echo b > b; git add b; git rm -q a; git commit -qm two; mkdir a; echo u > a/u; git reset --keep HEAD~1 2>&1; git status -s; cat a/u b; git log --format=%s",
  ],
  "empty folders in the way of files": [
    "git init -q; echo a > a; git add .; git commit -qm one; git checkout -qb t; echo f > f; git rm -q a; git add f; git commit -qm two; git checkout -q main; mkdir -p f/e/e; git checkout -q t; cat f; git status -s; mkdir -p a/e; git checkout -q main; cat a; mkdir f; git merge t; cat f; mkdir a; git reset --keep HEAD~1; cat a; git status -s",
  ],
  "a cherry-pick of the parents of a merge": [
    "git init -q; echo a > a; git add .; git commit -qm one; git checkout -qb t; echo t > a; git commit -qam t1; git checkout -qb u HEAD~; echo u > b; git add .; git commit -qm u1; git checkout -q t; git merge -q u -m m; git checkout -q main; echo m > a; git commit -qam main",
    "git cherry-pick t^@ 2>/dev/null; cat .git/sequencer/todo; echo x > a; git add a; git cherry-pick --continue --no-edit; git log --format=%s; git status -s; git cherry-pick u^! t~^! 2>/dev/null; cat .git/sequencer/todo; git cherry-pick --abort; git cherry-pick t~^! 2>/dev/null; cat .git/sequencer/todo; git cherry-pick --abort; git log --format=%s; git revert --no-edit HEAD~2..HEAD; git log --format=%s",
  ],
  "parents that a commit doesn't have": [
    "git init -q; echo a > a; git add .; git commit -qm one; echo b > a; git commit -qam two; git log --format=%s HEAD^-; git log --format=%s HEAD~^- 2>/dev/null; echo $?; git log --format=%s HEAD^-2 2>/dev/null; echo $?; git diff HEAD^-3 2>/dev/null; echo $?; git rev-parse HEAD^-0 2>/dev/null; git rev-parse HEAD~^@; git log --format=%s HEAD~^!",
  ],
  "branches selected by several options": [
    "git init -q; git commit -q --allow-empty -m one; git branch a; git checkout -qb b; git commit -q --allow-empty -m two; git checkout -qb c; git commit -q --allow-empty -m three; git branch --merged c --no-merged a; git branch --no-merged a --merged b; git branch --merged a --merged b; git branch -v --no-merged a; git branch --contains b --contains c; git branch -v --contains b; git branch --no-merged a --contains c; git branch --points-at a --points-at c -v; git branch --format='%(refname:short)' --contains c --contains b; git checkout -q --detach; git branch --contains c; git branch --contains c 'c*'; git branch --merged nope 2>/dev/null; echo $?",
  ],
  "untracked files of a stash that can't be restored, and files that are only intended": [
    "git init -q; echo a > a; git add .; git commit -qm one; echo x > x; echo z > z; echo b > a; git stash -qu; echo file > x; git stash pop; git status -s; cat a x z; git stash drop -q; git reset -q --hard; rm x z; mkdir d; echo y > d/y; echo b > a; git stash -qu; echo file > d; git stash pop; cat a d; git stash list; rm d; git reset -q --hard; git rm -q a; mkdir a; echo in > a/in; git stash -qu; cat a; git stash pop; cat a/in; git status -s",
    "rm -r a; git reset -q --hard; echo n > n; git add -N n; git stash; echo b > a; git stash; git stash -u 2>&1; git stash create; git stash -S 2>&1; git add a; git stash -S; git status -s; git stash list",
  ],
  "names and numbers that end with NUL in grep": [
    "git init -q; printf 'x\\nfoo\\ny\\nfoo\\n' > a; git add .; git commit -qm one; git grep -z foo | cat -A; git grep -zn foo | cat -A; git grep -zc foo | cat -A; git grep -zn --column foo HEAD | cat -A; git grep -zn -A1 foo | cat -A; git grep -zh foo | cat -A; git grep -zhno foo | cat -A; git grep -zn --color=always foo | cat -A; git grep -zL nope | cat -A",
  ],
  "notes that are asked for, and a merge that ends during a cherry-pick": [
    "git init -q; echo a > a; git add .; git commit -qm one; git notes add -m note; git log --oneline --notes; git log --pretty=raw --notes; git log --pretty=short --notes; git log --no-notes --notes; git log --notes --no-notes; git log --no-notes --format='[%N]'; git log -g --oneline --notes",
    "git checkout -qb t; echo t > a; git commit -qam t --author 'Bo <bo@example.org>'; git checkout -q main; echo m > a; git commit -qam m; git cherry-pick t 2>/dev/null; git merge --quit; ls .git | grep HEAD; echo x > a; git commit -qam x; git log -1 --format='%an %s'",
  ],
  "trailers after other lines": [
    "git init -q; git commit -q --allow-empty -m \"$(printf 'sub\\n\\nbody line\\nnote: x')\" --trailer 'A: b' -s; git log -1 --format=%B; git commit -q --allow-empty -m 'fix: x' --trailer 'A=b' --trailer A:b --trailer A:c --trailer 'A: b'; git log -1 --format=%B; git commit -q --allow-empty -m 'fix: x' -m 'A: b' -m 'c: d' -s; git log -1 --format=%B; git commit -q --allow-empty --amend --no-edit --trailer 'c: d' -s; git log -1 --format=%B; git commit -q --allow-empty -m s -m \"$(printf 'one\\ntwo\\nSigned-off-by: x')\" --trailer 'A: b'; git log -1 --format=%B; git commit -q --allow-empty -m \"$(printf 's\\nnote: y')\" -s; git log -1 --format=%B",
    "echo a > a; git add a; git commit -q -m \"$(printf 'sub\\n\\nbody line\\nnote: x')\"; git checkout -q HEAD~; git cherry-pick -x main >/dev/null; git log -1 --format=%B; git checkout -q HEAD~; git cherry-pick -x HEAD@{1} >/dev/null; git log -1 --format=%B",
  ],
  "the last of several modes of a reset, and empty folders in ignored ones": [
    "git init -q; echo '*.log' > .gitignore; echo a > a; git add .; git commit -qm one; echo b > a; git commit -qam two; echo c > a; git reset --hard --soft HEAD~; cat a; git status -s; git reset --soft --hard; cat a; mkdir -p d/e d/f/g h/i; echo x > d/x.log; git clean -ndx; git clean -fdx; git status -s",
  ],
  "an ignored repository in ls-files, and a reset to parents": [
    "git init -q; echo ig > .gitignore; mkdir -p ig/r; git init -q ig/r; echo x > ig/r/x; echo y > ig/y; git add .; git commit -qm one; git ls-files -oi --exclude-standard; git ls-files -o; git status -s --ignored; git commit -q --allow-empty -m two; git reset -q HEAD^@ 2>/dev/null; echo $?; git reset -q --hard HEAD^! 2>/dev/null; echo $?; git log --format=%s",
  ],
  "the folder that clean runs in": [
    "git init -q; echo a > a; git add .; git commit -qm one; mkdir -p d/sub/deep e; echo 1 > d/x; echo 1 > d/sub/z; cd d",
    "git clean -nd .. | head -1; cd sub",
    "git clean -fdq; pwd; ls; git clean -fdq ../..; pwd; ls ..; ls ../..",
    "cd ..",
    "git clean -fd ../e; git clean -fd sub; pwd; ls",
  ],
  "a stash of a folder that replaced a file": [
    "git init -q; echo a > a; git add .; git commit -qm one; git rm -q a; mkdir a; echo s > a/s; git add a; echo t > a/t; git stash -qu; cat a; git stash pop -q 2>/dev/null; git status -s; cat a/s a/t; git ls-files -s; git commit -qm x; git ls-tree -r HEAD",
  ],
  "names with spaces and quotes in a patch": [
    "git init -q; mkdir 'd d'; seq 1 9 > 'd d/ü\"x'; seq 1 9 > 'p q'; git add .; git commit -qm one; sed -i s/1/one/ */* p*; git diff | cat -A; git diff > x.patch; git checkout -q .; git apply x.patch; git status -s",
  ],
};
