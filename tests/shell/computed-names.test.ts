import { expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

/** bash's output for commands with a computed name, which may expand to several words or to none. */
const rows: readonly (readonly [command: string, stdout: string])[] = [
  [`f() { "$@"; }; f echo a b`, "a b\n"],
  [`x="echo a b"; $x`, "a b\n"],
  [`set -- echo a b; "$@"; $*`, "a b\na b\n"],
  [`run() { echo "+ $*"; "$@"; }; run ls src`, "+ ls src\na\n"],
  [`CMD="ls -1"; $CMD src | wc -l`, "1\n"],
  [`args=(printf "%s." "a b" c); "\${args[@]}"`, "a b.c."],
  [`f() { "$@" | cat; }; f echo a b`, "a b\n"],
  [`e=; $e echo x; false; $e; echo $?`, "x\n0\n"],
  [`$(exit 4); echo $?; false; $e; echo $?`, "4\n0\n"],
  [`$(echo "echo a  b") c`, "a b c\n"],
  [`g() { echo "[$#]"; }; x="g a b"; $x c`, "[3]\n"],
  [`A=1 "$(echo env)" | grep ^A=`, "A=1\n"],
  [`c=cd; $c src; pwd`, "/project/src\n"],
  [`x="nosuchprog -a"; $x; echo $?; "$nope" a; echo $?`, "127\n127\n"],
  [`f() { "$@" || echo failed $?; }; f sh -c "exit 3"`, "failed 3\n"],
  [`x=exit; (echo a; $x 4; echo b); echo $?`, "a\n4\n"],
  [`xs="export Q=5"; $xs; echo $Q`, "5\n"],
  [`set -- test -d src; if "$@"; then echo yes; fi`, "yes\n"],
  [`x=return; f() { $x 3; echo no; }; f; echo $?`, "3\n"],
  [`x=break; for i in 1 2; do echo $i; $x; done`, "1\n"],
  [`c=cd; $c / | cat; pwd; echo x | $c /; pwd; $c / | $c src | cat; pwd`, "/project\n/project\n/project\n"],
  [`f() { g() { echo g; }; cat; }; c=f; echo in | $c a | cat; g 2> /dev/null; echo $?`, "in\n127\n"],
  [`f() { echo "$# $1"; }; c=f; $c "a b" '*' "it's" | cat`, "3 a b\n"],
  [`c="read x"; echo 5 | $c; echo "[$x]"; shopt -s lastpipe; echo 6 | $c; echo "[$x]"`, "[]\n[6]\n"],
  [`c=printf; $c '\\xff' | od -An -c; c=exit; echo a | $c 3; echo $?`, " 377\n3\n"],
  [`a=printf; $a "%s|" "a  b" 'c d' $(echo e f)`, "a  b|c d|e|f|"],
];

test("a computed name is split into words, as bash does", async () => {
  const { run, sandbox } = await project({ createWorker: loopbackWorker, contents: { "src/a": "a\n" } });
  const printed: (readonly [string, string])[] = [];
  for (const [session, [command]] of rows.entries()) printed.push([command, (await run(command, { session: String(session) })).stdout]);
  expect(printed).toEqual(rows);
  expect(await run(`set -x; x="echo t"; $x`, { session: "traced" })).toMatchObject({
    stdout: "t\n",
    stderr: expect.stringContaining("+ echo t\n"),
  });
  const traced = await run(`set -x; c=echo; $c hi 2>&1; { $c a | $c b; } 2>&1; $c c > log 2>&1; cat log; x=$($c d)`, {
    session: "redirected",
  });
  for (const name of ["hi", "a", "b", "c"]) expect(traced.stdout).toContain(`+ echo ${name}\n`);
  expect(traced.stdout + traced.stderr).not.toContain("vibey");
  sandbox.dispose();
});
