import * as fc from "fast-check";
import { Bash, defineCommand } from "just-bash/browser";
import { describe, expect, test } from "vitest";
import { allowingLines, grantsOf, type PatternWord, withPatternWord } from "../../../src/dialog/grants.ts";
import { isPattern } from "../../../src/dialog/pattern.ts";
import { readSimple } from "../../../src/shell/embedded/parts/simple.ts";
import { lawTimeout, runs } from "../../dialog/hostile.ts";

/** The lines that allow a command, joined by " + "; "asks" if it needs approval. Patterns are separated by " , ". */
async function judge(patterns: string, command: string): Promise<string> {
  const commands = await readSimple(command);
  const lines = commands && allowingLines(granted(patterns), { kind: "command", commands });
  return lines ? lines.map(({ value }) => value.replace("command ", "")).join(" + ") : "asks";
}

function granted(patterns: string) {
  const values = patterns.split(" , ").map((pattern) => `command ${pattern}`);
  const last = values.reduce<PatternWord | null>((before, value) => withPatternWord(before, value, true, "this dialog"), null);
  return grantsOf(last);
}

/**
 * Commands under the patterns in force, one per line: `+` covered, `-` asks. `\n`, `\t`, `\u…` and `\\` mean the same as in JSON; `␠` is a space
 * at the end of a line.
 */
const table = String.raw`
npm test *
+ npm test
+ npm test -- --run board
+ npm  test   --watch
+ ␠npm test
+ npm test␠
+ npm test\n
+ \n\nnpm test\n\n
+ npm "test"
+ n'p'm te"s"t
+ npm test 'one word, with $(signs) && more; > x'
+ npm test "two words"
+ npm test ''
+ npm test '*' "?" '[a]'
+ npm test --grep='a|b'
+ npm test '# no comment'
+ npm test # a comment
+ npm test && npm test -- --run b
+ npm test || npm test
+ npm test; npm test
+ npm test;
+ npm test | npm test
+ npm test\nnpm test
+ npm test '\n'
+ npm test $"a" $'a'
- npm
- npm tes
- npm tests
- npm testing
- npm test2
- npm-test
- npm TEST
- NPM test
- npx npm test
- ./npm test
- /tmp/npm test
- ../npm test
- npm run test
- npm -C sub test
- npm --prefix evil test
- 'npm test'
- "npm test" -- x
- npm 'test '
- npm '' test
- '' npm test
- npm test && rm -rf src
- rm -rf src && npm test
- npm test || rm x
- npm test; rm x
- npm test | rm x
- npm test |& npm test
- npm test & rm x
- npm test &
- npm test & npm test
- npm test\nrm x
- npm test\r\nrm x
- npm test\r
- npm test # a comment\nrm x
- npm test && (npm test)
- (npm test)
- ( rm x )
- { npm test; }
- { npm test; rm x; }
- ! npm test
- time npm test
- if npm test; then npm test; fi
- while npm test; do rm x; done
- until npm test; do npm test; done
- for a in 1 2; do npm test; done
- for ((;;)); do npm test; done
- case a in a) npm test;; esac
- npm() { rm x; }; npm test
- function npm { rm x; }; npm test
- npm () (rm x)\nnpm test
- [[ -n a ]] && npm test
- (( 1 )) && npm test
- npm test > out.txt
- npm test >> out.txt
- npm test >| out.txt
- npm test &> out.txt
- npm test 2> err.txt
- npm test 2>&1
- npm test >/dev/null
- npm test < in.txt
- npm test <<< in
- npm test <<E\nrm x\nE
- npm test <<'E'\nrm x\nE
- npm test 3<> x
- > out.txt npm test
- npm test $(rm x)
- npm test "$(rm x)"
- npm test ${"`"}rm x${"`"}
- npm test "${"`"}rm x${"`"}"
- $(echo npm) test
- npm $(echo test)
- npm test <(rm x)
- npm test >(rm x)
- npm test $((1))
- npm test $[1]
- npm test $HOME
- npm test "$HOME"
- npm test \${HOME}
- npm test \${x:=y}
- npm test "\${x@P}"
- npm test $'a'\\''b'
- npm test *
- npm test a*b
- npm test ?
- npm test [ab]
- npm test {a,b}
- npm test {1..3}
- npm test a{,b}
- npm test ~
- npm test ~root
- npm test a:~
- npm test @(a|b)
- npm test !(a)
- npm test !x
- npm test "!x"
- npm te\\st
- npm test\\\n && rm x
- npm test \\; rm x
- npm \\\ntest
- \\npm test
- LD_PRELOAD=x npm test
- PATH=. npm test
- NODE_OPTIONS=--require=./x npm test
- A= npm test
- A=1
- A=1; npm test
- PATH+=:. npm test
- A=(1) npm test
- npm test && PATH=.
- env npm test
- env -i npm test
- command npm test
- builtin npm test
- exec npm test
- eval npm test
- eval "npm test"
- sh -c "npm test"
- bash -c 'npm test'
- nohup npm test
- nice npm test
- timeout 5 npm test
- sudo npm test
- xargs npm test
- npm test | xargs npm test
- watch npm test
- busybox npm test
- npm test | sh
- source npm test
- . npm test
- alias npm=rm; npm test
- hash -p /tmp/x npm; npm test
- enable -n npm; npm test
- cd evil && npm test
- pushd evil; npm test
- export PATH=.; npm test
- set -- x; npm test
- shopt -s extglob; npm test
- trap 'rm x' EXIT; npm test
- unset PATH; npm test
- read npm; npm test
- printf -v PATH x; npm test
- coproc npm test
- npm\ttest
- npm test\ta
- npm test\u00a0x
- npm\u00a0test
- npm\u2003test
- npm test\u2028rm x
- npm test\u0085rm x
- npm test\u000brm x
- npm test \u200b
- n\u200bpm test
- npm test \u202e
- npm te\u0455t
- \uff4e\uff50\uff4d test
- npm t\u00e9st
- npm test f\u00fcr
- npm test\u0000
- npm test \u001b[2J
- npm test \ufeff
- \ufeffnpm test
- npm test \ud800
- npm test;;
- npm test && 
- npm test |
- npm test (
- npm test )
- npm test 'a
- npm test "a
-
- # npm test
- ␠

npm test
+ npm test
+ npm "test"
+ npm test && npm test
- npm test x
- npm test --
- npm test ''
- npm test *
- npm 'test *'
- npm

npm test * , npm run lint
+ npm test && npm run lint
+ npm run lint; npm test -- x || npm run lint
- npm run lint --fix
- npm run lint && npm run build

git commit * , git add * , git status
+ git add . && git commit -m 'one: two (three) & four'
+ git add src/a.ts src/b.ts; git status
+ git commit -m "it's done"
- git add . && git push
- git -c core.pager=x status
- git status -s
- git commit -m "$(cat x)"
- git add *
- git commit -m "costs $5"
- git commit -m "now!"

npm *
+ npm run anything
+ npm
+ npm run build -- -c a
+ npm ci --cache tmp
+ npm exec eslint src
- npm exec -c 'sh p.sh'
- npm exec -yc 'sh p.sh'
- npm x --call='sh p.sh'
- npm x --cal 'sh p.sh'
- npm -c 'sh p.sh' exec
- npm test --script-shell=./p.js
- npm test --script-s ./p.js
- npm test --node-options=--import=./p.js
- npm ci --git=./p.js
- npm test --prefix evil
- npm test -C evil
+ npm version --git-tag-version=false
- npx x
- npm test > x

node build.js *
+ node build.js --fast
- node build.js | node
- node -e 'x'
- node --eval x build.js
- node ./build.js
- node build.js; node

node *
+ node a.js
- node -e 'x'
- node -p 1
- node --eval=x
- node --import data:text/javascript,x%28%29 a.js
- node --import='data:text/javascript,x()' a.js
- echo 'x()' | node

make test *
+ make test -j 2 -C sub
- make test 'CC=rm -rf src; cc'
- make test CC=rm
- make test 'X:=$(shell rm x)'
- make test -f other.mk
- make test --file=other.mk
- make test -kf other.mk

echo * , node *
+ echo a | node --no-warnings a.js
+ echo a | node --input-type module a.js
- echo 'x()' | node --input-type module
- echo 'x()' | node -r ./a.js
- echo 'x()' | node --import ./a.js --no-warnings
- echo 'x()' | node /dev/fd/0
- echo 'x()' | node /proc/self/fd/0

echo * , python3 * , cat *
+ echo a | cat
+ echo a | python3 -W ignore a.py
+ echo a | python3 -m json.tool
- echo 'x()' | python3 -W ignore
- echo 'x()' | python3 -BX utf8
- echo 'x()' | python3 /dev/fd/0
- echo 'x()' | python3 -m code
- python3 -m timeit 'x()'
- python3 -mtimeit -s 'x()'
- python3 -m cProfile -m timeit 'x()'
+ python3 a.py
- echo 'x()' | python3
- python3 -c 'x()'
- echo a | python3 -
- echo a > b
- cat a | sh
- echo $(cat a)

rg * , git * , npx *
+ rg -n word src
- rg --pre ./p.sh x
- rg --pre=./p.sh x
+ git log --oneline -5
+ git clean -x -n
+ git bisect good
- git bisect run ./p.sh
- git rebase -x ./p.sh main
- git rebase --exec=./p.sh main
- git submodule foreach ./p.sh
- git -c alias.x='!sh p.sh' x
- git difftool -y
+ npx tsc
- npx -c 'sh p.sh'
- npx --call='sh p.sh'
- npx -yc 'sh p.sh'
- npx -y1c 'sh p.sh'
- npx --cal 'sh p.sh'
- git rebase -qx 'sh p.sh' HEAD~1
- git rebase -ix 'sh p.sh' HEAD~1
- git rebase --ex 'sh p.sh' HEAD~1
- git -C sub rebase -x 'sh p.sh' HEAD~1
- git config alias.z '!sh p.sh'
- git config --global ALIAS.z '!sh p.sh'
- git z
- git -C sub z
- git --git-dir sub z
- git --no-pager z
- git filter-branch
+ git --version
+ git version
+ git
+ git -C sub status
+ git --git-dir=sub/.git --work-tree sub log
+ git config user.name 'A B'
+ git rebase --onto main topic
+ git rebase --continue
+ git log -- run foreach

awk * , ls * , grep *
+ ls -la src
+ ls | grep 'a.b'
+ grep -E '^(a|b)$' src/x.ts
- awk 'BEGIN{system("rm x")}'
- awk 'BEGIN { cmd = "sh p.sh"; print "x" | cmd }'
- awk 'BEGIN { cmd = "sh p.sh"; cmd |& getline }'
- awk -f p.awk a
- awk -vx=1 -fp.awk a
- awk --file=p.awk a
+ awk '$1 > 2 || $2 == "b" { print $1 }' a
+ awk -F, -v n=1 '{ print $n }' a
- ls | xargs rm
- ls *.ts
- grep a$b x

./run.sh *
+ ./run.sh a
- run.sh a
- ././run.sh a
- sh run.sh
- sh ./run.sh
- . ./run.sh
`;

interface Row {
  readonly patterns: string;
  readonly command: string;
  readonly covered: boolean;
}

const rows: Row[] = table
  .trim()
  .split("\n\n")
  .flatMap((block) => {
    const [patterns = "", ...lines] = block.split("\n");
    return lines.map((line) => ({ patterns, command: unescaped(line.slice(2)), covered: line.startsWith("+") }));
  });

function unescaped(text: string): string {
  const source = text.replaceAll("␠", " ").replaceAll("\\${", "${").replaceAll('"', '\\"');
  return JSON.parse(`"${source}"`) as string;
}

describe("a command under patterns", () => {
  test("the table has at least 150 rows", () => {
    expect(rows.length).toBeGreaterThanOrEqual(150);
    expect(new Set(rows.map(({ patterns, command }) => `${patterns}\n${command}`)).size).toBe(rows.length);
    for (const { patterns } of rows)
      for (const pattern of patterns.split(" , ")) expect(isPattern(`command ${pattern}`), pattern).toBe(true);
  });

  test.each(rows)("$patterns: $command, covered: $covered", async ({ patterns, command, covered }) => {
    expect((await judge(patterns, command)) !== "asks").toBe(covered);
  });

  test("each line that did it is named once, the narrowest one", async () => {
    expect(await judge("npm * , npm test * , npm test", "npm test && npm test x && npm run y && npm test")).toBe(
      "npm test + npm test * + npm *",
    );
  });

  test("no program that runs others is in a pattern", () => {
    const names = ["sh", "bash", "/bin/sh", "./env", "eval", "xargs", "sudo", "find", "cd", "export", "SH", "node_modules/.bin/env"];
    expect(names.filter((name) => isPattern(`command ${name} *`) || isPattern(`command ${name}`))).toEqual([]);
  });
});

/** Runs the text in a shell. Returns the words of each command with one of these names, whether anything else was tried, and the files it created. */
async function ran(command: string) {
  const commands: string[][] = [];
  const note = (name: string) =>
    defineCommand(name, async (args) => {
      commands.push([name, ...args]);
      return { stdout: "", stderr: "", exitCode: 0 };
    });
  const bash = new Bash({
    defenseInDepth: false,
    cwd: "/p",
    files: { "/p/keep": "" },
    commands: [],
    customCommands: ["npm", "git", "rm", "node"].map(note),
  });
  const { stderr } = await bash.exec(command, { rawScript: true });
  const files = (await bash.fs.readdir("/p")).filter((name) => name !== "keep");
  return { commands, files, isClean: stderr === "" };
}

const patterns = "npm test * , git status , git add *";
const isMeant = ([name = "", first = "", ...rest]: readonly string[]): boolean =>
  (name === "npm" && first === "test") ||
  (name === "git" && first === "status" && rest.length === 0) ||
  (name === "git" && first === "add");

const parts = [
  "npm test",
  "npm test -- 'a b'",
  'npm "test" x',
  "git status",
  "git add .",
  "git push",
  "rm x",
  "npm run build",
  "node",
  "npm",
  "git status -s",
];
const joints = [" && ", " || ", "; ", " | ", "\n", " & ", " |& ", ";", "&&", "\n\n", " ; # a\n", "\r\n", " ", " \\\n"];
const signs = [
  ..."'\"`$(){}[]<>|&;*?!~#=\\^%\n\r\t ".split(""),
  "$(",
  "`rm x`",
  "$(rm x)",
  "${x}",
  "<(rm x)",
  ">(rm x)",
  "<<E\nrm x\nE\n",
  "> out",
  ">> out",
  "2>&1",
  "&> out",
  "<<< x",
  "A=1 ",
  "PATH=. ",
  "rm x",
  "; rm x",
  "&& rm x",
  "| rm x",
  "|| rm x",
  "& rm x",
  "\nrm x\n",
  "eval ",
  "exec ",
  "command ",
  "xargs ",
  "{ ",
  "; }",
  "( ",
  " )",
  "if ",
  "; then ",
  "; fi",
  "f() { rm x; }; ",
  "\u00a0",
  "\u2028",
  "\u200b",
  "\u202e",
  "\ufeff",
  "\u0000",
  "\u0455",
  "alias npm=rm; ",
  "{a,b}",
  "{1..3}",
  "$'\\n'",
  "--",
];

describe("law: what is covered runs nothing but what the lines say", () => {
  const tries = { numRuns: Math.ceil(runs / 5) };

  test(
    "a script of parts is covered only when each part is, and by a known joint",
    async () => {
      const script = fc.array(fc.tuple(fc.constantFrom(...joints), fc.constantFrom(...parts)), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(script, async (pieces) => {
          const command = pieces.map(([joint, part], at) => (at === 0 ? part : joint + part)).join("");
          if ((await judge(patterns, command)) === "asks") return;
          const { commands, files, isClean } = await ran(command);
          expect({ others: commands.filter((words) => !isMeant(words)), files, isClean }).toEqual({ others: [], files: [], isClean: true });
        }),
        tries,
      );
    },
    lawTimeout,
  );

  test(
    "a sign of the shell, put anywhere, lets nothing else through",
    async () => {
      const start = fc.constantFrom("npm test", "npm test 'a b' c", "npm test && git status", 'git add "x y"; npm test');
      const put = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...signs)), { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(start, put, async (command, additions) => {
          const changed = additions.reduce<string>(
            (text, [at, sign]) => text.slice(0, at % (text.length + 1)) + sign + text.slice(at % (text.length + 1)),
            command,
          );
          if ((await judge(patterns, changed)) === "asks") return;
          const { commands, files, isClean } = await ran(changed);
          expect({ others: commands.filter((words) => !isMeant(words)), files, isClean }).toEqual({ others: [], files: [], isClean: true });
        }),
        tries,
      );
    },
    lawTimeout,
  );

  test("the oracle sees what is not meant", async () => {
    expect(await ran("npm test; rm x > y; nothing")).toEqual({
      commands: [
        ["npm", "test"],
        ["rm", "x"],
      ],
      files: ["y"],
      isClean: false,
    });
  });
});
