import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { lineMark } from "../../../../src/shell/webcontainer/script-protocol.ts";
import {
  builtScript,
  removeBuilt,
  type Outcome,
  type Run,
  runMessage,
  runScript,
  shown,
  startScript,
  testContainer,
  type TestContainer,
} from "./harness.ts";

/** Each command runs in a process of the built script. */
let container: TestContainer;
const run = (command: string, more: Partial<Run> = {}): Promise<Outcome> => runScript(container, command, more);
const out = async (command: string): Promise<string> => (await run(command)).done.stdout;

beforeAll(async () => {
  await builtScript();
  return removeBuilt;
}, 120_000);
beforeEach(() => {
  container = testContainer({ "README.md": "# Game\n" });
});
afterEach(() => container.remove());

/** A program that prints its process id and that of a process it started. Only SIGKILL ends either. */
const stubborn = `for (const s of ["SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE"]) process.on(s, () => undefined);
if (process.argv[2] !== "inner") require("node:child_process").spawn(process.execPath, [__filename, "inner"], { stdio: "inherit" });
console.log("pid " + process.pid);
setInterval(() => undefined, 1000);
`;

/** The process ids that `stubborn` printed. */
const pidsIn = (text: string): number[] => [...text.matchAll(/pid (\d+)/g)].map((found) => Number(found[1]));

async function areGone(pids: readonly number[]): Promise<void> {
  await expect
    .poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"))), {
      timeout: 60_000,
    })
    .toEqual([]);
}

describe("a process", () => {
  test("is ready, runs one command, answers and ends", async () => {
    const started = await startScript(container);
    await started.said("ready");
    started.send(runMessage("echo 'grüße 你好 🙂'; echo err >&2; cd /; export A=1 B='x y'; exit 3", container));
    const { exitCode, stray } = await started.ended;
    expect({ exitCode, stray }).toEqual({ exitCode: 0, stray: "" });
    expect(started.messages.map(({ type }) => type).filter((type) => type !== "output")).toEqual(["ready", "started", "done"]);
    expect(started.messages.at(-1)).toMatchObject({
      stdout: "grüße 你好 🙂\n",
      stderr: "err\n",
      exitCode: 3,
      folder: "/",
      env: { A: "1", B: "x y" },
      limit: null,
      aborted: false,
    });
    expect(shown(started.messages, "stdout")).toBe("grüße 你好 🙂\n");
  });

  test("says nothing but lines of ASCII, each with its mark", async () => {
    const started = await startScript(container);
    started.send(runMessage("printf 'ü\\r\\n\\036{}\\n\\0'", container));
    const { printed } = await started.ended;
    expect(started.messages.at(-1)).toMatchObject({ stdout: "ü\r\n\u001e{}\n\0" });
    const lines = printed.split("\n");
    expect(lines.pop()).toBe("");
    for (const line of lines) expect(line).toMatch(new RegExp(`^${lineMark}[ -~]+$`));
  });

  test("takes a command with the folder and the variables that the session had", async () => {
    mkdirSync(join(container.project, "src"));
    const { done } = await run("pwd; echo $A; node -p 'process.cwd() + process.env.A'; unset A; cd ..", {
      folder: join(container.project, "src"),
      env: { A: "kept" },
    });
    expect(done.stdout).toBe(`${container.project}/src\nkept\n${container.project}/srckept\n`);
    expect(done.folder).toBe(container.project);
    expect(done.env).not.toHaveProperty("A");
    expect(done.env).not.toHaveProperty("PATH");
  });

  test("says when the working directory is gone", async () => {
    const { done } = await run("pwd", { folder: join(container.project, "gone") });
    expect(done.stdout).toBe(`${container.project}\n`);
    expect(done.stderr).toContain("the working directory");
  });

  test("asks the engine for what goes on in the background", async () => {
    const answers = (operands: readonly string[]) => ({ stdout: `asked ${operands.join("+")}\n`, stderr: "", exitCode: 4 });
    const started = await startScript(container, { answers });
    started.send(runMessage("background read 2; echo $?", container));
    await started.ended;
    expect(started.messages.at(-1)).toMatchObject({ type: "done", stdout: "asked read+2\n4\n" });
  });

  test("works on an older Node, which lacks what newer ones have", async () => {
    const lacks = "delete globalThis.crypto; for (const n of ['toSorted','toReversed','toSpliced','with']) delete Array.prototype[n];";
    const started = await startScript(container, { nodeOptions: ["--import", `data:text/javascript,${lacks}`] });
    started.send(
      runMessage("ls | sort; printf abc | sha512sum | cut -c1-8; git init -q && git add . && git commit -qm a && git status -s", container),
    );
    await started.ended;
    expect(started.messages.at(-1)).toMatchObject({ stdout: "README.md\nddaf35a1\n", stderr: "", exitCode: 0 });
  });

  test("--install moves it out of the project, once", async () => {
    const script = join(container.project, "shell.mjs");
    container.put({ "shell.mjs": readFileSync(await builtScript(), "utf8") });
    const install = (path: string): string =>
      execFileSync(process.execPath, [path, "--install"], { cwd: container.project, env: container.variables }).toString();
    const path = join(container.root, "tmp/vibey/shell.mjs");
    expect(install(script)).toBe(`${lineMark}{"type":"installed","path":"${path}"}\n`);
    expect([existsSync(script), existsSync(path)]).toEqual([false, true]);
    expect(install(path)).toContain(path);
    expect(existsSync(path)).toBe(true);
  });
});

describe("real programs", () => {
  test("node is the WebContainer's own, with its streams apart and its exit code", async () => {
    const { done } = await run("node -p process.version; node -e 'console.log(1); console.error(2); process.exit(3)'; echo $?");
    expect(done).toMatchObject({ stdout: `${process.version}\n1\n3\n`, stderr: "2\n" });
  });

  test("a signal's number is in the exit code", async () => {
    expect(await out("node -e 'process.kill(process.pid, \"SIGSEGV\")'; echo $?")).toBe("139\n");
  });

  test("pipes go both ways, bytes stay bytes", async () => {
    expect(await out("printf 'b\\na\\n' | node -e 'process.stdin.pipe(process.stdout)' | sort | tr a-z A-Z")).toBe("A\nB\n");
    expect(await out("node -e 'process.stdout.write(Buffer.from([255, 0, 254]))' | od -An -tx1")).toBe(" ff 00 fe\n");
    expect(await out("printf '\\xff\\x00' | node -e 'process.stdin.on(\"data\", (d) => console.log(d))'")).toBe("<Buffer ff 00>\n");
    expect(
      await out("x=$(node -p 40+2); echo $((x + 1)); node -p 1 > out.txt; cat out.txt; node -e 'process.stdin.resume()'; echo $?"),
    ).toBe("43\n1\n0\n");
    expect(await out("seq 100000 | node -e 'process.exit(7)'; echo $?")).toBe("7\n");
  });

  test("npm runs scripts, npx a program of the project, and its name is enough", async () => {
    container.put({
      "package.json": '{"name":"game","scripts":{"hi":"node -p 40+2"}}',
      "node_modules/tool/package.json": '{"name":"tool","bin":"cli.js"}',
      "node_modules/tool/cli.js": "#!/usr/bin/env node\nconsole.log('tool', ...process.argv.slice(2));\n",
      "src/deep/x": "",
    });
    mkdirSync(join(container.project, "node_modules/.bin"));
    symlinkSync("../tool/cli.js", join(container.project, "node_modules/.bin/tool"));
    chmodSync(join(container.project, "node_modules/tool/cli.js"), 0o755);
    expect(await out("npm run -s hi; npx --no-install tool a; tool 'b c'; cd src/deep && tool d; ../../node_modules/.bin/tool e")).toBe(
      "42\ntool a\ntool b c\ntool d\ntool e\n",
    );
  });

  test("a file runs as what it is, also without a mode", async () => {
    container.put({
      "a.js": "#!/usr/bin/env node\nconsole.log('js', ...process.argv.slice(2));\n",
      "b.sh": "#!/bin/bash\necho sh $1; grep -c Game README.md\n",
      "c.txt": "echo no\n",
    });
    expect((await run("./a.js 1; ./b.sh 2; ./c.txt")).done).toMatchObject({
      stdout: "js 1\nsh 2\n1\n",
      stderr: "bash: ./c.txt: Permission denied\n",
      exitCode: 126,
    });
  });

  test("the shell's own commands come first, what the session puts on the PATH comes before them", async () => {
    container.put({ "bin/wc": "#!/bin/sh\necho mine\n", "bin/only": "#!/bin/sh\necho only\n" });
    for (const name of ["wc", "only"]) chmodSync(join(container.project, "bin", name), 0o755);
    symlinkSync(join(container.project, "bin/wc"), join(container.root, "bin/wc"));
    expect(await out("echo a | wc -l; which node; PATH=$PWD/bin:$PATH; wc; only; export PATH; bash -c 'wc'")).toBe(
      `1\n${container.root}/bin/node\nmine\nonly\nmine\n`,
    );
  });

  test("programs run after and in process substitutions", async () => {
    const { done } = await run("diff <(node -p 1) <(node -p 2); cat <(echo a); node -p 3");
    expect(done).toMatchObject({ stdout: "1c1\n< 1\n---\n> 2\na\n3\n", stderr: "" });
  });

  test("what is exported reaches programs that other commands run", async () => {
    const show = "node -p process.env.A";
    expect(
      await out(
        `export A=1; timeout 5 ${show}; env A=2 ${show}; A=3 timeout 5 ${show}; echo x | A=4 xargs -I{} ${show}; find . -maxdepth 0 -exec ${show} \\;; A=5 nohup ${show}; bash -c '${show}'; ${show} & wait`,
      ),
    ).toBe("1\n2\n3\n4\n1\n5\n1\n1\n");
    expect(await out(`A=1; timeout 5 ${show}`)).toBe("undefined\n");
  });

  test("command -v finds programs, too", async () => {
    expect(await out("command -v node; command -v grep; command -v cd; command -v nothing-like-this; echo $?; command -V node")).toBe(
      `${container.root}/bin/node\n/usr/bin/grep\ncd\n1\nnode is ${container.root}/bin/node\n`,
    );
  });

  test("a script of one of the shell's own commands runs in the shell", async () => {
    container.put({ "second.awk": "#!/usr/bin/awk -f\n{ print $2 }\n" });
    expect(await out("echo a b | ./second.awk")).toBe("b\n");
  });

  test("what can't be started says why", async () => {
    const { done } = await run("x=$(seq 100000 | tr '\\n' x); node -p 1 $x; echo $?; mkdir d; cd d; rm -rf ../d; node -p 1; echo $?");
    expect(done.stdout).toBe("126\n126\n");
    expect(done.stderr).toMatch(/^bash: node: Argument list too long\nbash: node: the working directory \S+\/d is gone\n/);
  });

  test("tee writes to the terminal", async () => {
    expect((await run("echo x | tee /dev/stderr")).done).toMatchObject({ stdout: "x\n", stderr: "x\n" });
  });

  test("a file in a folder's place is no folder", async () => {
    expect(await out("touch x; mkdir -p x; echo $?; mkdir -p y/z y/z; echo $?")).toBe("1\n0\n");
  });

  test("what is left out is counted for each stream", async () => {
    container.put({ "big.js": "process.stdout.write('x'.repeat(5e5)); process.stderr.write('e'.repeat(3000));" });
    const { done } = await run("node big.js", { maxBytes: 1_000 });
    expect(done.stdout).toMatch(/bytes of 500000 cut/);
    expect(done.stderr).toMatch(/bytes of 3000 cut/);
  });

  test("what is nowhere says so", async () => {
    const { done } = await run("nothing-like-this; sqlite3 x; python3 -V; pnpm -v");
    expect(done.exitCode).toBe(127);
    expect(done.stderr).toMatch(
      /^bash: nothing-like-this: command not found\nbash: sqlite3: command not found: .*\nbash: python3: command not found\nbash: pnpm: /,
    );
  });

  test("output is shown while the program runs, in its order", async () => {
    container.put({
      "slow.js":
        "console.log('one'); process.stdin.on('data', () => undefined); setTimeout(() => console.error('two'), 300); setTimeout(() => console.log('three'), 600);",
    });
    const started = await startScript(container);
    started.send(runMessage("node slow.js; echo four", container));
    await started.said("output", ({ output }) => output.text.includes("one"));
    expect(started.messages.some(({ type }) => type === "done")).toBe(false);
    await started.ended;
    expect(shown(started.messages, "stdout")).toBe("one\nthree\nfour\n");
    expect(started.messages.at(-1)).toMatchObject({ stdout: "one\nthree\nfour\n", stderr: "two\n" });
  });

  test("of 50 MB the first and the last part are kept, the rest is counted, and the program is not held up", async () => {
    container.put({ "big.js": "process.stdout.write('first\\n' + 'x'.repeat(50e6) + '\\nlast\\n', () => console.error('written'));" });
    const { done } = await run("node big.js", { maxBytes: 10_000 });
    expect(done).toMatchObject({ exitCode: 0, limit: "output", stderr: "written\n" });
    expect(done.stdout).toMatch(/^first\nx+\n\[… 4999\d{4} bytes of 50000012 cut here: the output limit is 10000 bytes …\]\nx+\nlast\n$/);
    expect(done.stdout.length).toBeLessThanOrEqual(10_000);
  });

  test("into a file, a pipe or a variable output goes whole", async () => {
    container.put({ "big.js": "process.stdout.write('x'.repeat(5e6)); process.stdout.on('error', () => process.exit(1))" });
    expect(await out("f() { node big.js; }; f | wc -c; node big.js > big.txt; stat -c %s big.txt; x=$(f); echo ${#x}; exec > log; f")).toBe(
      "5000000\n5000000\n5000000\n",
    );
    expect(statSync(join(container.project, "log")).size).toBe(5_000_000);
  });
});

describe("the end of what was started", () => {
  beforeEach(() => container.put({ "stubborn.js": stubborn }));

  /** Starts the command, waits until both of its processes exist, and returns their ids. */
  async function begin(command: string, more: Partial<Run> = {}) {
    const started = await startScript(container);
    started.send(runMessage(command, container, more));
    await expect.poll(() => pidsIn(shown(started.messages, "stdout")).length, { timeout: 60_000 }).toBe(2);
    return { started, pids: pidsIn(shown(started.messages, "stdout")) };
  }

  test("abort kills the whole tree, and what was printed is kept", async () => {
    const { started, pids } = await begin("echo before; node stubborn.js; echo never");
    started.send({ type: "abort" });
    const { exitCode } = await started.ended;
    const done = started.messages.at(-1);
    expect(done).toMatchObject({ type: "done", exitCode: 130, aborted: true });
    expect(done?.type === "done" && pidsIn(done.stdout)).toEqual(pids);
    expect(done?.type === "done" && done.stdout).toMatch(/^before\n(?:pid \d+\n){2}$/);
    expect(exitCode).toBe(0);
    await areGone(pids);
  });

  test("the time limit", async () => {
    const { started, pids } = await begin("node stubborn.js", { timeoutMs: 6_000 });
    await started.ended;
    expect(started.messages.at(-1)).toMatchObject({ type: "done", exitCode: 124, limit: "time", aborted: false });
    await areGone(pids);
  });

  test.each([
    ["the end of the input", 0, (child: { stdin: { end(): void } | null }) => child.stdin?.end()],
    ["SIGTERM", 143, (child: { kill(signal: "SIGTERM"): boolean }) => void child.kill("SIGTERM")],
  ])("%s", async (_, code, stop) => {
    const { started, pids } = await begin("node stubborn.js");
    stop(started.child);
    const { exitCode } = await started.ended;
    expect(started.messages.at(-1)).toMatchObject({ type: "done", aborted: true });
    expect(exitCode).toBe(code);
    await areGone(pids);
  });

  test("an abort reaches a shell that computes", async () => {
    const started = await startScript(container);
    started.send(runMessage("echo on; while true; do :; done", container));
    await started.said("output");
    started.send({ type: "abort" });
    await started.ended;
    expect(started.messages.at(-1)).toMatchObject({ exitCode: 130, aborted: true, stdout: "on\n" });
  });

  test("a spare that nobody needs ends with its input", async () => {
    const started = await startScript(container);
    await started.said("ready");
    started.child.stdin?.end();
    expect(await started.ended).toMatchObject({ exitCode: 0, stray: "" });
  });

  test("timeout and kill end programs; a job ends with its command at the latest", async () => {
    container.put({ "wait.js": "console.log('pid ' + process.pid); setInterval(() => undefined, 1000);" });
    const { done } = await run(
      "timeout 0.5 node wait.js; echo $?; node wait.js & sleep 0.3; kill $!; wait $!; echo $?; node wait.js & sleep 0.3; echo end",
    );
    // A program that doesn't end soon after it is asked to is killed. On a busy machine that can happen to any program.
    expect(done.stdout.replaceAll(/pid \d+/g, "pid")).toMatch(/^(pid\n)?124\n(pid\n)?(?:143|137)\nend\n(pid\n)?$/);
    expect(done.stderr).toContain("a background job still ran");
    await areGone(pidsIn(done.stdout));
  });

  test("what a program leaves in a group of its own ends with the command", async () => {
    container.put({
      "leave.js":
        "const c = require('node:child_process').spawn(process.execPath, ['stubborn.js', 'inner'], { stdio: 'ignore', detached: true }); c.unref(); console.log('pid ' + c.pid);",
    });
    const { done } = await run("node leave.js; echo after");
    expect(done.stdout).toMatch(/^pid \d+\nafter\n$/);
    await areGone(pidsIn(done.stdout));
  });

  test("what a program leaves behind and goes on printing holds the command up for a moment", async () => {
    container.put({
      "chat.js":
        "require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => console.log(1), 20)'], { stdio: 'inherit' }).unref(); process.exit();",
    });
    const { done } = await run("node chat.js > f; echo after", { timeoutMs: 60_000 });
    expect(done).toMatchObject({ stdout: "after\n", limit: null });
  });

  test("what a program leaves behind ends with the command", async () => {
    container.put({
      "leave.js":
        "const c = require('node:child_process').spawn(process.execPath, ['stubborn.js', 'inner'], { stdio: 'ignore' }); c.unref(); console.log('pid ' + c.pid);",
    });
    const { done } = await run("node leave.js; echo after");
    expect(done.stdout).toMatch(/^pid \d+\nafter\n$/);
    await areGone(pidsIn(done.stdout));
  });
});

describe("the files are the WebContainer's own", () => {
  test("links, modes, times and empty folders", async () => {
    container.put({ "a.txt": "a\n", "run.sh": "#!/bin/sh\n" });
    mkdirSync(join(container.project, "empty"));
    utimesSync(join(container.project, "a.txt"), 1_000_000_000, 1_000_000_000);
    const done = await out(
      "ln -s a.txt link; ln -s nowhere loose; ln a.txt hard; chmod 600 a.txt; stat -c '%a %Y' a.txt; cat link; readlink link; ls -l loose | sed 's/.*loose/loose/'; rm loose; mv empty moved; cp -r . ../copy; [ -L link ] && echo link; rmdir moved; echo $?",
    );
    expect(done).toBe("600 1000000000\na\na.txt\nloose -> nowhere\nlink\n0\n");
    const at = (name: string): string => join(container.project, name);
    expect(readlinkSync(at("link"))).toBe("a.txt");
    expect(statSync(at("hard")).ino).toBe(statSync(at("a.txt")).ino);
    expect(statSync(at("a.txt")).mode & 0o777).toBe(0o600);
    expect(existsSync(at("moved"))).toBe(false);
    expect(lstatSync(join(container.root, "home/copy/link")).isSymbolicLink()).toBe(true);
    expect(statSync(join(container.root, "home/copy/moved")).isDirectory()).toBe(true);
  });

  test("links that lead in circles end no search", async () => {
    container.put({ "pack/a.txt": "word\n" });
    symlinkSync("..", join(container.project, "pack/up"));
    symlinkSync("../pack", join(container.project, "pack/again"));
    expect(await out("grep -rl word .; rg -l word; find . -name '*.txt'; ls -R pack; tar -cf x.tar pack; tar -tf x.tar")).toBe(
      "./pack/a.txt\npack/a.txt\n./pack/a.txt\npack:\na.txt\nagain\nup\npack/\npack/a.txt\n",
    );
  });

  test("other folders are there, the shell's own files stay", async () => {
    const { done } = await run(
      `echo x > $TMPDIR/y; cat ${container.root}/tmp/y; rm /usr/bin/ls; ls / | grep -xE 'usr|dev'; cat /dev/null; echo z > /dev/null; cat nothing; cat ${container.root}`,
    );
    expect(done.stdout).toBe("x\ndev\nusr\n");
    expect(done.stderr).toContain("one of the shell's own files");
    expect(done.stderr).toContain("cat: nothing: No such file or directory");
  });

  test("what the system refuses fails the command that met it, not the script", async () => {
    container.put({ file: "" });
    const { done } = await run("echo x > file/below; echo $?; mkdir file; echo $?; echo x > /proc/none; echo after");
    expect(done.stdout).toBe("1\n1\nafter\n");
  });

  test("git works on them, links and modes included", async () => {
    const identity = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "a@b.c", GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "a@b.c" };
    container.put({ "tool.sh": "#!/bin/sh\n" });
    chmodSync(join(container.project, "tool.sh"), 0o755);
    const { done } = await run(
      [
        "ln -s README.md link",
        "git init -q && git add . && git commit -qm first",
        "git ls-files -s | sed 's/ .*\\t/ /'",
        "echo more >> README.md; rm link; ln -s tool.sh link",
        "git status -s; git diff | grep '^[-+][^-+]'",
        "git commit -qam second; git checkout -q HEAD~1; readlink link; cat README.md; git log --oneline --all | wc -l",
      ].join("\n"),
      { env: identity },
    );
    expect(done.stderr).toBe("");
    expect(done.stdout).toBe(
      "100644 README.md\n120000 link\n100755 tool.sh\n M README.md\n M link\n+more\n-README.md\n+tool.sh\nREADME.md\n# Game\n2\n",
    );
  });
});

test("curl and git reach the network by themselves, and nobody is asked", async () => {
  const server = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { location: "/" }).end();
    else response.writeHead(200, { "x-method": request.method ?? "" }).end(`hello ${String(request.headers["x-a"] ?? "")}\n`);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  try {
    const { done } = await run(
      `curl -s -H 'X-A: b' ${url}; curl -s -o /dev/null -w '%{http_code}\\n' ${url}/moved; curl -sL ${url}/moved; wget -qO- ${url}; curl -s http://127.0.0.1:1; echo $?; git ls-remote ${url}/x.git; echo $?`,
    );
    expect(done.stdout).toBe("hello b\n302\nhello \nhello \n7\n128\n");
  } finally {
    server.close();
  }
});
