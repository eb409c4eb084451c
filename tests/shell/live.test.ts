import { describe, expect, test } from "vitest";
import { createLiveSender } from "../../src/shell/embedded/live-output.ts";
import type { LiveOutput } from "../../src/shell/sandbox.ts";
import { loopbackWorker } from "./loopback.ts";
import { dialogName, project } from "./project.ts";

const contents = {
  [dialogName]: "# Dialog\n",
  "two.sh": "#!/bin/bash\necho one\necho two\n",
  "in.txt": "a\nb\n",
};

/** The live output; consecutive output of one stream is one entry: `out|err`. */
async function shownBy(command: string): Promise<{ shown: string; stdout: string; stderr: string }> {
  const { run } = await project({ createWorker: loopbackWorker, contents });
  const outputs: LiveOutput[] = [];
  const { stdout, stderr } = await run(command, { onOutput: (output) => outputs.push(output) });
  const text = (stream: string) =>
    outputs
      .filter((output) => output.stream === stream)
      .map((output) => output.text)
      .join("");
  return { shown: `${text("stdout")}#${text("stderr")}`, stdout, stderr };
}

describe("what is shown is what is printed", () => {
  test.each([
    "echo a; echo b >&2; echo c",
    "for i in 1 2 3; do echo $i; done",
    "while read l; do echo got $l; done < in.txt",
    "cat in.txt | while read l; do echo got $l >&2; echo $l; done",
    "if cat in.txt; then echo yes; else echo no; fi",
    "f() { echo in f; g; }; g() { echo in g >&2; }; f; x=$(f); echo [$x]",
    "f() { echo $1; return 3; }; f a && echo never || echo b",
    "x=$(echo hidden; echo shown >&2); echo $x",
    "{ echo a; echo b >&2; } 2>&1",
    "{ echo a; echo b >&2; } > /tmp/x; cat /tmp/x",
    "{ echo a; echo b >&2; } 2>/dev/null",
    "(echo sub; exit 3); echo $?",
    "echo piped | tr a-z A-Z; seq 3 | tail -n 1",
    "case x in x) echo x;; esac; for ((i = 0; i < 2; i++)); do echo $i; done",
    "bash two.sh; ./two.sh; . ./two.sh; eval 'echo e; echo f'",
    "timeout 5 bash -c 'echo in; x=$(echo no); echo out'",
    "exec sh two.sh",
    "bash -c 'bash two.sh > /tmp/y'; bash two.sh | head -n 1",
    "find . -name '*.txt' -exec echo found {} \\;; echo a b | xargs -n1 echo",
    "echo job & wait; echo end",
    "cat <(echo a) <(echo b); echo c; ./two.sh; echo d | tee >(cat); echo e >&2",
    "printf 'gr\\xc3\\xbc\\xc3\\x9fe\\n'; echo 你好; cat in.txt",
    "nosuchcommand; cd /nowhere; ls nothing",
    "set -e; echo a; false; echo never",
    "f() { for i in 1 2 3; do echo $i; [ $i = 2 ] && return; done; }; f; for i in 1 2 3; do echo $i; break; done; exit 4",
    "set -x; echo traced",
    "exec 2>&1; echo a; ls nothing",
    "echo $((1/0)); echo after",
    "! echo a; echo b",
    "cat <<E\nhere $(echo doc)\nE",
    "diff <(echo a) <(echo b)",
    "f() { echo a; echo b >&2; echo c; }; f 2>&1; f 2>&1 | cat; x=$(f 2>&1); f > /tmp/z 2>&1; (f; exit 2) 2>&1; { f; { f; } 2>&1; echo d; } 2>&1",
    "bash -c 'echo a; echo b >&2; echo c' 2>&1; find in.txt -exec bash -c 'echo o; echo e >&2; echo p' \\; 2>&1; mkdir b; cp two.sh b/tool; PATH=$PWD/b:$PATH; tool; tool 2>&1",
    "printf 'console.log(1); console.error(2); setTimeout(() => console.log(3), 5)' > a.js; node a.js 2>&1; { node a.js; echo end; } 2>&1; bash -c 'node a.js' 2>&1 | cat",
    `echo '{"scripts":{"pretest":"echo before","test":"echo one; echo two >&2; exit 3"}}' > package.json; npm test; npm test | tail -n 1`,
  ])("%s", async (command) => {
    const { shown, stdout, stderr } = await shownBy(command);
    expect(shown).toBe(`${stdout}#${stderr}`);
  });
});

test.each(["", " 2>&1"])("each line of a loop is shown when it is printed: done%s", async (redirection) => {
  const shown: string[] = [];
  const atRead: string[] = [];
  const { run } = await project({ createWorker: loopbackWorker, contents, onDialogRead: () => atRead.push(shown.join("")) });
  await run(`for i in 1 2; do echo $i; cat ${dialogName} > /dev/null; sleep 0.01; done${redirection}; sleep 0.01; echo end`, {
    onOutput: ({ text }) => shown.push(text),
  });
  expect(atRead).toEqual(["1\n"]);
  expect(shown.join("")).toBe("1\n2\nend\n");
});

describe("messages", () => {
  function sender(total = 1000) {
    const posted: LiveOutput[] = [];
    let now = 0;
    const sleeps: (() => void)[] = [];
    const clock = { now: () => now, sleep: () => new Promise<void>((resolve) => sleeps.push(resolve)) };
    const live = createLiveSender((output) => posted.push(output), clock, total);
    return {
      live,
      posted,
      pass: async (ms: number) => {
        now += ms;
        for (const wake of sleeps.splice(0)) wake();
        await Promise.resolve();
        await Promise.resolve();
      },
    };
  }

  test("are sent at once, as long as they are few, and then together", async () => {
    const { live, posted, pass } = sender(1e6);
    for (let i = 0; i < 1000; i++) live.send({ stream: "stdout", text: `${i}\n` });
    expect(posted.length).toBe(20);
    await pass(50);
    expect(posted.length).toBe(21);
    live.send({ stream: "stderr", text: "last" });
    live.flush();
    expect(posted.map(({ text }) => text).join("")).toBe(`${Array.from({ length: 1000 }, (_, i) => `${i}\n`).join("")}last`);
  });

  test("leave out the oldest of what is too much, and say how much", async () => {
    const { live, posted } = sender();
    live.send({ stream: "stdout", text: "x".repeat(100_000) });
    live.send({ stream: "stdout", text: "y".repeat(100_000) });
    expect(posted[0]?.text).toMatch(/^\n\[… 34464 characters are not shown here …\]\nx+$/);
    expect(posted[1]?.text).toMatch(/^\n\[… 91808 characters are not shown here …\]\ny{8192}$/);
  });

  test("about progress replace each other", async () => {
    const { live, posted, pass } = sender();
    for (let i = 0; i < 30; i++) live.send({ stream: "progress", text: `${i} %` });
    await pass(50);
    expect(posted.length).toBe(21);
    expect(posted.at(-1)).toEqual({ stream: "progress", text: "29 %" });
  });
});
