import { Bash, defineCommand } from "just-bash";
import { describe, expect, test } from "vitest";
import { readParts } from "../../src/shell/embedded/parts/read.ts";

/** How often the command runs the program `mark`, in just-bash, on which Vibey's shell is built. */
async function ran(command: string): Promise<number> {
  let count = 0;
  const mark = defineCommand("mark", async () => ({ stdout: String((count += 1)), stderr: "", exitCode: 0 }));
  const shell = new Bash({ defenseInDepth: false, customCommands: [mark], executionLimits: { maxLoopIterations: 100 } });
  await shell.exec(command, { rawScript: true });
  return count;
}

const x = "x[$(mark)]";
const run: readonly string[] = [
  `[[ a -eq '${x}' ]]`,
  `[[ '${x}' -lt 1 ]]`,
  `[[ a -eq "x[\\$(mark)]" ]]`,
  `[[ -v '${x}' ]]`,
  `test -v '${x}'`,
  `[ -v '${x}' ]`,
  `let '${x}=1'`,
  `let "y=1" "z=x[\\$(mark)]"`,
  `(( x[$(mark)] ))`,
  `(( '${x}' ))`,
  "(( x[`mark`] ))",
  `echo $(( "${x}" ))`,
  `echo $[ $(mark) ]`,
  `for ((i=$(mark); i<1; i++)); do :; done`,
  `v='${x}'; ((v))`,
  `v='${x}'; echo $((v + 1))`,
  `v='${x}'; w=v; ((w))`,
  `v='${x}'; [[ v -eq 0 ]]`,
  `v='${x}'; a=(1 2); echo \${a[v]}`,
  `v='${x}'; w=abc; echo \${w:v}`,
  `v='${x}'; echo \${!v}`,
  `declare -i n; n='${x}'`,
  `declare '${x}=1'`,
  `declare a[$(mark)]=1`,
  `printf -v '${x}' %s a`,
  `printf -v v %s '${x}'; ((v))`,
  `read v <<< '${x}'; ((v))`,
  `for v in '${x}'; do ((v)); done`,
  `f() { (($1)); }; f '${x}'`,
  `set -- '${x}'; (($1))`,
  `eval '((v))' ; v='${x}'; eval '((v))'`,
  `unset '${x}'`,
  `unset a[$(mark)]`,
  `a[$(mark)]=1`,
  "a[`mark`]=1",
  `a=([$(mark)]=1)`,
  `x=(['${x}']=1)`,
  `a=(1); echo \${a[$(mark)0]}`,
  `a=(1); echo \${a['${x}']}`,
  `echo \${a:$(mark):1}`,
  `echo \${x:-$(mark)} \${y/$(mark)/b}`,
  `cat <<E\n$(( x[$(mark)] ))\nE`,
  `echo [$(mark)]* @(a|$(mark))`,
  "echo [`mark`]",
  `. <(echo mark)`,
  `bash < <(echo mark)`,
  `rg --pre mark a /bin`,
  `rg -n --pre=mark a /bin`,
];

describe("a command in a word that the shell reads as arithmetic or as a name", () => {
  test.each(run)("is run, and is a part: %s", async (command) => {
    expect(await ran(command)).toBeGreaterThan(0);
    const parts = await readParts(command);
    // Commands in a program's output are known only at run time.
    const isPrinted = command.includes("<(echo mark)");
    expect(
      parts === null ||
        parts.some(({ name, findings }) => (isPrinted ? findings.some(({ kind }) => kind === "runs-text") : name === "mark")),
    ).toBe(true);
    expect(parts).not.toBeNull();
  });

  test.each([
    `echo 'arr[$(x)]'`,
    `grep '[$(x)]' a.txt; [[ -f a ]]`,
    "git commit -m 'Use `x` in [y]'; (( i++ ))",
    `sed 's/[$(]/x/' a; let i++`,
    `for ((i=0; i<3; i++)); do echo "\${a[i]} \${b[$i]}"; done`,
    `v='a[1]'; ((v))`,
  ])("is not taken for one: %s", async (command) => {
    const parts = await readParts(command);
    expect(parts?.flatMap(({ findings }) => findings.map(({ kind }) => kind))).not.toContain("runs-text");
  });

  test("the part that hides it says so", async () => {
    const [part, inner] = (await readParts(`[[ a -eq 'x[$(rm -rf y)]' ]]`)) ?? [];
    expect(part?.findings).toEqual([{ kind: "runs-text" }]);
    expect(inner).toMatchObject({ name: "rm", words: ["-rf", "y"], joint: "inside", findings: [{ kind: "deletes" }] });
  });

  test("the prompt of a trace, which runs before each command, is a part", async () => {
    expect(await readParts("PS4='$(rm x)'; set -x; ls")).toMatchObject([{ findings: [{ kind: "runs-text" }] }, { name: "rm" }, {}, {}]);
  });

  test("the command of a trap is a part", async () => {
    expect(await readParts("trap 'rm x' EXIT")).toMatchObject([{ findings: [{ kind: "runs-text" }] }, { name: "rm" }]);
    expect(await readParts("trap -- 'rm x' EXIT")).toMatchObject([{ findings: [{ kind: "runs-text" }] }, { name: "rm" }]);
    expect(await readParts("trap - EXIT; trap")).toMatchObject([{ findings: [] }, { findings: [] }]);
  });
});
