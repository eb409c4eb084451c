import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { standInFetch } from "../net/server.ts";
import { type GitServer, prepare, serveGit } from "./http-server.ts";
import { hasGit, type Machine, ourMachine, realMachine } from "./machine.ts";

/** A history with packed deltas, a merge, both kinds of tags and an additional branch. */
const history = `
git init -q -b main work; cd work
seq 1 300 > numbers; mkdir -p src; echo 'let x = 1;' > src/x.js; printf 'a\\0b' > bin; echo '#!/bin/sh' > run; chmod +x run
git add .; git commit -qm 'First commit'
for i in 1 2 3 4; do sed -i "s/^1$i$/number $i/" numbers; git commit -qam "Change $i"; done
git tag light HEAD~1; git tag -a v1 -m 'Version one'
git checkout -q -b topic HEAD~2; echo topic > topic.txt; git add .; git commit -qm 'On topic'
git checkout -q main; git merge -q --no-ff -m 'Merge topic' topic; echo last > last; git add .; git commit -qm Last
cd ..; git clone -q --bare work r.git; git -C r.git config http.receivepack true; git -C r.git gc -q
git init -q --bare -b main empty.git; git -C empty.git config http.receivepack true
rm -rf work
`;

/** Each line runs in our git and in the real one, each with its own remote. Both must print and store the same. */
const sequences: Readonly<Record<string, readonly string[]>> = {
  clone: [
    "git clone $U/r.git",
    "cd r; git status; git log --oneline --decorate; git branch -a; git branch -vv; git tag; ls; cat topic.txt",
    "git remote; git remote -v; git config remote.origin.url; git config branch.main.merge",
    "git fsck --strict 2>/dev/null; git rev-parse HEAD origin/main origin/HEAD; git cat-file -p v1",
    "cd ..; git clone $U/r.git; git clone $U/r.git other -q; ls",
    "git clone -b topic $U/r.git t; cd t; git status -sb; cd ..",
    "git clone -q -b v1 $U/r.git tagged; cd tagged; git status | head -1; git log --oneline | wc -l; cd ..",
    "git clone -q --depth 1 $U/r.git shallow; cd shallow; git log --oneline; git branch -a; git tag; git status -sb; cd ..",
    "git clone -q --single-branch -b topic $U/r.git single; cd single; git branch -a; cd ..",
    "git clone -b nope $U/r.git x; ls -d x",
    "git clone $U/nothing.git y; ls -d y",
    "git clone $U/empty.git; cd empty; git status; git log; cd ..",
    "git clone -n -q $U/r.git bare; ls bare",
    "git clone -q $U/r.git a/b/c; ls a/b",
  ],
  "fetch and pull": [
    "git clone -q $U/r.git one; git clone -q $U/r.git two; cd two; echo two >> last; git commit -qam Two; git push -q; git switch -q -c fresh; echo f > f; git add f; git commit -qm Fresh; git tag -a v2 -m two; git push -q origin fresh v2; cd ../one",
    "git fetch",
    "git fetch; git status; git status -sb; git branch -vv; git branch -v; git tag",
    "git log --oneline HEAD..origin/main; git log --oneline HEAD..@{u}; git rev-parse --abbrev-ref @{u}",
    "git checkout fresh; git branch -vv",
    "git checkout main",
    "git pull",
    "git pull; git status",
    "cat last; git log -1 --format='%s %an'",
    "echo mine > mine; git add mine; git commit -qm Mine; git status; git branch -vv",
    "cd ../two; git checkout -q main; echo more >> last; git commit -qam More; git push -q; cd ../one",
    "git pull",
    "git pull --ff-only",
    "git status; git fetch -v 2>&1 | grep -v POST | sort",
    "git pull --no-rebase",
    "git log --oneline --no-decorate | head -5; git log -1 --format=%B; cat last mine",
    "cd ../two; echo clash > mine; git add mine; git commit -qm Clash; git push -q; cd ../one; echo other > mine; git commit -qam Other; git config pull.rebase false; git pull",
    "git status; cat mine | head -3; git pull",
    "git merge --abort; git status -sb",
    "cd ../two; git push -q origin --delete fresh; git checkout -q -b shared; git commit -q --allow-empty -m s1; git push -q -u origin shared; cd ../one; git fetch --prune; git branch -r",
    'git fetch origin shared; cat .git/FETCH_HEAD | sed "s,$U,URL,"',
    "git fetch origin shared:copy main; git branch; git log -1 --format=%s copy",
    "cd ../two; git commit -q --amend --allow-empty -m s2; git push -q --force; cd ../one; git fetch",
    "git fetch origin nothing; git fetch nowhere; git pull origin nothing",
    "git checkout -q --detach; git pull; git checkout -q -b lonely; git pull; git pull origin shared --no-rebase -q; git log -1 --format=%s",
    "git fetch --all; git fetch --tags -q; git tag",
    "git merge-base lonely origin/main | cut -c1-7; git branch -d copy; git branch -D copy",
  ],
  push: [
    "git clone -q $U/r.git one; cd one; git push",
    "echo a > a; git add a; git commit -qm A; git status -sb; git push; git status -sb",
    "git switch -q -c topic2; git commit -q --allow-empty -m T; git push",
    "git push -u origin topic2; git status -sb; git branch -vv",
    "git commit -q --allow-empty -m T2; git push; git log --oneline -1 origin/topic2",
    "git commit -q --amend --allow-empty -m T3; git push",
    "git push --force; git push -f",
    "git commit -q --amend --allow-empty -m T4; git push --force-with-lease",
    "git push origin HEAD:refs/heads/named; git push origin topic2:other main:main",
    "git push origin --delete other; git push origin :named; git push origin --delete nothing",
    "git tag x1; git tag -a x2 -m two; git push origin x1; git push --tags; git push origin tag x2",
    "git tag -f x1 HEAD~1; git push origin x1; git push -f origin x1; git push origin :refs/tags/x1",
    "git push origin nothing; git push nowhere; git push --dry-run origin main:dry; git ls-remote --heads $U/r.git",
    "cd ..; git clone -q $U/r.git two; cd two; echo b > b; git add b; git commit -qm B; git push -q; cd ../one; git checkout -q main; echo c > c; git add c; git commit -qm C; git push",
    "git fetch -q; git push; git pull -q --no-rebase; git push; git log --oneline --no-decorate -4",
    "git checkout -q --detach; git push; git checkout -q main; git ls-remote; git ls-remote -t origin; git ls-remote --exit-code origin nope; echo $?",
    "git remote add second $U/empty.git; git push second main; git branch -a; git push --all second; git ls-remote second",
    "git checkout -q -b gone2 origin/topic2; git push origin --delete topic2; git status; git branch -vv; git status -sb",
  ],
  "into an empty one, and remotes": [
    "git init -q work; cd work; git remote -v; git push; git pull; git fetch",
    "git remote add origin $U/empty.git; git remote add origin x; git remote; git push",
    "echo a > a; git add a; git commit -qm A; git push -u origin main; git status",
    "git remote rename origin up; git branch -vv; git remote -v; git config branch.main.remote",
    "git remote set-url up $U/r.git; git remote get-url up; git remote get-url nope; git remote set-url nope x; git remote remove nope",
    "git fetch up main; git branch -a; git merge up/main; git fetch -q up; git branch -r",
    "git merge --allow-unrelated-histories -q -m Both up/main; git log --oneline --no-decorate | wc -l",
    "git branch --unset-upstream; git status -sb; git branch -u up/topic; git status -sb; git branch -u nope; git branch --unset-upstream; git branch --unset-upstream",
    "git checkout -q -b t up/topic; git branch -vv; git checkout -q --no-track -b t2 up/topic; git branch t3 up/topic; git branch --track t4 main; git branch -vv",
    "git switch topic; git switch -c x --track up/topic; git status -sb; git branch -m x y; git status -sb; git branch -d t3; git config --get branch.t3.remote; echo $?",
    "git remote remove up; git remote; git branch -a; git status -sb",
  ],
};

const asOurs: typeof standInFetch = (request) => standInFetch({ ...request, headers: [...request.headers, ["X-Side", "ours"]] });

describe.skipIf(!hasGit)("other repositories, against git http-backend (skipped where git is not installed)", () => {
  let server: GitServer;
  beforeAll(async () => {
    server = await serveGit();
    prepare(server.folder, history);
  });
  afterAll(() => server?.close());

  test.for(Object.entries(sequences))("%s", async ([name, lines]) => {
    const id = name.replaceAll(/\W+/g, "-");
    for (const side of ["ours", "real"]) prepare(server.folder, `mkdir -p ${side}/${id}; cp -r r.git empty.git ${side}/${id}`);
    const url = `${server.url}/${id}`;
    const ours = ourMachine({ fetch: asOurs, env: { U: url } });
    const real = realMachine({ U: url });
    const told = async (machine: Machine): Promise<string> => {
      let text = "";
      for (const line of lines) {
        const { stdout, stderr, exitCode } = await machine.run(line);
        text += `$ ${line}\n${stdout.replaceAll(/^vibey\n/gm, "")}--\n${stderr.replaceAll(/^(?:bash: line \d+|bash|ls): .*\n/gm, "")}[${exitCode}]\n`;
      }
      return text.replaceAll(url, "URL");
    };
    try {
      const [mine, theirs] = await Promise.all([told(ours), told(real)]);
      expect(mine).toBe(theirs);
    } finally {
      real.end();
    }
  });
});
