import { beforeAll, expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project, type TestProject } from "./project.ts";

let shell: TestProject;
beforeAll(async () => {
  shell = await project({ createWorker: loopbackWorker, contents: {} });
});

test.each([
  ["a cipher is not taken for base64", "echo secret | openssl enc -aes-256-cbc -a -k word", "-aes-256-cbc is not here"],
  ["a file is not taken for the input", "echo x > f; openssl base64 f < /dev/null", "use -in f"],
  ["random bytes of another kind", "openssl rand -engine 4", "-engine is not here"],
  ["processes that are left out", "pkill -v sleep", "-v is not supported here"],
  ["a pattern that is none", "pgrep '('", "is no pattern"],
  ["a fraction in another base", "echo 'obase=16; 1.5' | bc", "fractions of another base"],
  ["a coprocess", "coproc cat", "coproc is not here; use a pipe, or `command > file &` and read the file"],
  ["a pattern of what does not fit", "ls !(*.txt)", "a word can't begin with the pattern !(…) here; use case, or find with ! -name"],
  ["a mask that has no effect", "umask 077", "umask: 077: this has no effect here; use chmod"],
  ["a power that takes minutes", "echo '(2^90000)^90000' | bc", "exponent too large"],
])("%s", async (_, command, why) => {
  const { stdout, stderr } = await shell.run(command);
  expect(stdout).toBe("");
  expect(stderr).toContain(why);
});

test("a parenthesis that is no pattern is not explained as one", async () => {
  expect((await shell.run("echo a (b)")).stderr).not.toContain("pattern");
});

// The behavior of GNU bc 1.07, procps, util-linux and coreutils.
test.each([
  [
    "bc's order of operators",
    "printf '%s\\n' '-2^2' '2^3^2' '1 || 0 && 0' '!1 == 0' 'length(0.05)' 'last*2' '-3 % 2' | bc",
    "4\n512\n1\n1\n2\n4\n-1\n",
  ],
  [
    "a lock that waits for some time",
    "flock lk sh -c 'touch got; sleep 60' & until [ -e got ]; do sleep 0.01; done; flock -w 0.01 lk echo no; echo $?; kill %1; wait",
    "1\n",
  ],
  [
    "what head leaves of a file",
    "printf '1\\n2\\n3\\n' > n; { head -n -2; echo -; cat; } < n; { head -c -2; echo -; cat; } < n; cat n | { head -n -2; cat; }",
    "1\n-\n2\n3\n1\n2\n-\n3\n1\n",
  ],
  [
    "a patch of more lines than a call takes arguments",
    "mkdir p; cd p; : > old; { printf -- '--- a/old\\n+++ b/old\\n@@ -0,0 +1,150000 @@\\n'; seq 150000 | sed s/^/+/; } > it; patch -s old < it && wc -l < old; : > old; git apply it && wc -l < old",
    "150000\n150000\n",
  ],
  ["as many patterns", "seq 150000 > all; echo 140000 | grep -cxFf all", "1\n"],
  ["the children of another shell", "sleep 60 & pkill -P 1 sleep; echo $?; pkill -P $$ sleep; echo $?; wait", "1\n0\n"],
])("%s", async (_, command, expected) => {
  expect((await shell.run(command, { timeoutMs: 300_000 })).stdout).toBe(expected);
});
