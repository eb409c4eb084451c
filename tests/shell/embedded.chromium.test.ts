import { afterEach, describe, expect, test } from "vitest";
import type { Network } from "../../src/shell/network.ts";
import { createShellWorker } from "../../src/shell/create-worker.ts";
import { changed, type Content, dialogName, project, type TestProject } from "./project.ts";

let here: TestProject | null = null;
afterEach(() => here?.sandbox.dispose());

async function open(contents: Readonly<Record<string, Content>> = {}, onDialogRead?: () => void): Promise<TestProject> {
  here = await project({ createWorker: createShellWorker, contents, ...(onDialogRead ? { onDialogRead } : {}) });
  return here;
}

/** A single step of the interpreter that takes hours and never checks the clock. */
const unstoppable = "jq -n 'last(range(1e12))'";
/** Loops forever and checks the clock in every round. */
const endless = "while :; do :; done";

const everyByte = Uint8Array.from({ length: 512 }, (_, i) => i & 255);

describe("working directory", () => {
  test("is the project's folder first and is kept, for each session its own", async () => {
    const { run } = await open({ "src/a": "" });
    expect((await run("pwd; cd src", { session: "one" })).stdout).toBe("/project\n");
    expect((await run("pwd", { session: "two" })).stdout).toBe("/project\n");
    expect((await run("pwd", { session: "one" })).stdout).toBe("/project/src\n");
  });

  test("that is gone is left, and the command says so", async () => {
    const { run, runAndKeep } = await open({ "src/a": "" });
    await run("cd src", { session: "one" });
    await runAndKeep("rm -r src", { session: "two" });
    const outcome = await run("pwd", { session: "one" });
    expect(outcome.stdout).toBe("/project\n");
    expect(outcome.stderr).toBe("vibey: the working directory /project/src is gone; this command ran in /project\n");
  });
});

test("commands of two sessions run at one time, each in a worker of its own, and a stop ends one alone", async () => {
  const { run } = await open();
  const waiting: (() => void)[] = [];
  const network: Network = () =>
    new Promise((resolve) => {
      waiting.push(() => resolve({ kind: "refused", why: "both are here" }));
      if (waiting.length === 2) for (const answer of waiting) answer();
    });
  const stop = new AbortController();
  const computes = run(endless, { session: "three", signal: stop.signal });
  const meet = (session: string) => run("curl -sS https://a.example/; echo met", { session, network });
  const both = await Promise.all([meet("one"), meet("two")]);
  expect(both.map(({ stdout, aborted }) => [stdout, aborted])).toEqual([
    ["met\n", false],
    ["met\n", false],
  ]);
  stop.abort();
  expect(await computes).toMatchObject({ aborted: true });
});

describe("changes", () => {
  test("are what differs from what was given, with the version that was given", async () => {
    const { run, put } = await open({ "same.txt": "same\n", "old.txt": "old\n", "gone.txt": "gone\n" });
    const version = await put("old.txt", "older\n");
    const outcome = await run(
      "echo same > same.txt; echo new > new.txt; echo more >> old.txt; rm gone.txt; echo x > passing; rm passing; mkdir empty",
    );
    expect(changed(outcome)).toEqual(["gone.txt gone", "new.txt=new\n", "old.txt=older\nmore\n"]);
    expect(outcome.changes.find((change) => change.path === "old.txt")?.base).toBe(version);
    expect(outcome.changes.find((change) => change.path === "new.txt")?.base).toBe(null);
  });

  test("of a folder that moves", async () => {
    const { run } = await open({ "a/x": "x", "a/b/y": "y", "c/z": "z" });
    expect(changed(await run("mv a c/"))).toEqual(["a/b/y gone", "a/x gone", "c/a/b/y=y", "c/a/x=x"]);
  });

  test("that were not committed are undone before the next command", async () => {
    const { run } = await open({ "a.txt": "a\n" });
    await run("echo b > a.txt; echo c > c.txt; echo d > vibey/doc-d.md");
    expect((await run("cat a.txt; ls; ls vibey")).stdout).toBe("a\na.txt\nvibey\n");
  });

  test("of somebody else are there for the next command", async () => {
    const { run, put, files } = await open({ "a.txt": "a\n", "b/b.txt": "b\n" });
    await run("cat a.txt");
    await put("a.txt", "A\n");
    await put("deep/er/c.txt", "C\n");
    const [b] = await files.list("b/");
    if (b) await files.commit([{ op: "remove", path: b.path }], { durability: "relaxed" });
    expect((await run("cat a.txt deep/er/c.txt; ls")).stdout).toBe("A\nC\na.txt\ndeep\nvibey\n");
  });

  test("keep every byte", async () => {
    const { run } = await open({ "in.bin": everyByte });
    const { changes } = await run(
      "cp in.bin copy.bin; cat in.bin > cat.bin; cat in.bin in.bin | tail -c 512 > tail.bin; base64 in.bin | base64 -d > base.bin; mkdir d; mv copy.bin d/moved.bin",
    );
    expect(changes.map(({ path }) => path).toSorted()).toEqual(["base.bin", "cat.bin", "d/moved.bin", "tail.bin"]);
    for (const { bytes } of changes) expect(bytes).toEqual(everyByte);
  });

  test("by a thousand appends", async () => {
    const { run } = await open({ log: "start\n" });
    const outcome = await run("for i in $(seq 1 1000); do echo line $i >> log; done; tail -n 1 log; wc -l < log");
    expect(outcome.stdout).toBe("line 1000\n1001\n");
    expect(changed(outcome)[0]?.split("\n").length).toBe(1002);
  });
});

describe("the time limit", () => {
  const short = { timeoutMs: 300 };

  test("ends a loop and keeps what was printed and written", async () => {
    const { runAndKeep, run } = await open();
    const outcome = await runAndKeep(`echo before; echo kept > file; ${endless}; echo after`, short);
    expect(outcome).toMatchObject({ stdout: "before\n", exitCode: 124, limit: "time", aborted: false });
    expect(changed(outcome)).toEqual(["file=kept\n"]);
    expect((await run("cat file")).stdout).toBe("kept\n");
  });

  test.each([
    ["a sleep", "echo before; sleep 60"],
    ["a loop of sleeps", "echo before; while :; do sleep 0.01; done"],
    ["a loop in a function in a subshell", `f() { echo before; ${endless}; }; (f)`],
    ["a loop inside awk", "echo before; awk 'BEGIN { while (1) {} }'"],
    ["a loop that reads files", "echo before; while :; do cat /tmp/x 2>/dev/null; done"],
  ])("ends %s and keeps what was printed", async (_, command) => {
    const { run } = await open();
    // Loads its code first.
    await run("awk 'BEGIN { exit }'");
    expect(await run(command, short)).toMatchObject({ stdout: "before\n", exitCode: 124, limit: "time" });
  });

  test("kills what does not listen; what it had written is kept, and the next command finds the project as it was", async () => {
    const { runAndKeep, run } = await open({ "a.txt": "a\n", "src/b.bin": everyByte });
    // Loads its code first.
    await run("jq -n 1");
    const outcome = await runAndKeep(`cd src; echo printed; echo kept > file; echo more >> file; rm ../a.txt; ${unstoppable}`, short);
    expect(outcome).toMatchObject({ stdout: "printed\n", exitCode: 124, limit: "time", aborted: false });
    expect(outcome.stderr).toContain("files that it had written are kept, the last of what it had printed may be missing");
    expect(changed(outcome)).toEqual(["a.txt gone", "src/file=kept\nmore\n"]);
    expect((await run("ls; cat src/file; wc -c < src/b.bin")).stdout).toBe("src\nvibey\nkept\nmore\n512\n");
  });
});

describe("an abort", () => {
  const dialog = { [dialogName]: "# Dialog\n" };
  const started = `cat ${dialogName} > /dev/null`;

  test.each([
    ["a sleep", "sleep 1000"],
    ["a loop of sleeps", "while :; do sleep 0.01; done"],
  ])("ends %s and keeps what was printed", async (_, command) => {
    const stop = new AbortController();
    const { run } = await open(dialog, () => stop.abort());
    const outcome = await run(`echo printed; ${started}; ${command}`, { signal: stop.signal, timeoutMs: 1e6 });
    expect(outcome).toMatchObject({ stdout: "printed\n", exitCode: 130, limit: null, aborted: true });
  });

  test.each([
    ["a loop without a pause", endless],
    ["what does not listen", unstoppable],
    ["a loop inside awk", "awk 'BEGIN { while (1) {} }'"],
  ])("kills %s; the next command works", async (_, command) => {
    expect(await ended(command)).toContain("the command did not stop by itself");
  });

  test("ends a bomb, which may stop by itself; the next command works", async () => {
    expect(await ended('a=(); x=$(seq 1 100000); while :; do a+=("$x$i"); i=$((i+1)); done')).toContain("stop");
  });

  /** Aborts the command once it runs. Returns what it then printed to stderr. */
  async function ended(command: string): Promise<string> {
    const stop = new AbortController();
    const { run } = await open({ ...dialog, "a.txt": "a\n" }, () => stop.abort());
    // Loads their code first.
    await run("jq -n 1; awk 'BEGIN { exit }'");
    const outcome = await run(`echo printed; echo kept > file; ${started}; ${command}`, { signal: stop.signal, timeoutMs: 1e6 });
    expect(outcome).toMatchObject({ stdout: "printed\n", exitCode: 130, limit: null, aborted: true });
    expect(changed(outcome)).toEqual(["file=kept\n"]);
    expect((await run("cat a.txt")).stdout).toBe("a\n");
    return outcome.stderr;
  }

  test("ends a command that waits its turn, at once, and not the one that runs", async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    let waitingIsOver = false;
    const { run } = await open(dialog, () => second.abort());
    const running = run(`echo first; ${started}; sleep 1000`, { signal: first.signal, timeoutMs: 1e6 });
    const waiting = run("echo never > file", { signal: second.signal }).then((outcome) => {
      waitingIsOver = true;
      first.abort();
      return outcome;
    });
    const third = run("ls");
    expect(await running).toMatchObject({ stdout: "first\n", aborted: true });
    expect(waitingIsOver).toBe(true);
    expect(await waiting).toEqual({ stdout: "", stderr: "", exitCode: 130, limit: null, aborted: true, ms: 0, changes: [] });
    expect((await third).stdout).toBe("vibey\n");
  });

  test("before the start runs nothing", async () => {
    const { run } = await open();
    const outcome = await run("echo x > file", { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ aborted: true, changes: [] });
  });
});

describe("the output limit", () => {
  test("cuts the middle and says how much", async () => {
    const { run } = await open();
    const outcome = await run("seq 1 300000", { maxBytes: 1000 });
    expect(outcome).toMatchObject({ exitCode: 0, limit: "output" });
    expect(outcome.stdout).toMatch(
      /^1\n2\n[\d\n]+\[… \d+ bytes of 1988895 cut here: the output limit is 1000 bytes …\]\n[\d\n]*\n300000\n$/,
    );
    expect(new TextEncoder().encode(outcome.stdout).length).toBeLessThanOrEqual(1000);
  });

  test("is one for stdout and one for stderr", async () => {
    const { run } = await open();
    const outcome = await run("seq 1 100; seq 1 2000 >&2", { maxBytes: 1000 });
    expect(outcome.stdout.endsWith("100\n") && !outcome.stdout.includes("cut")).toBe(true);
    expect(outcome.stderr).toContain("cut here");
    expect(outcome.limit).toBe("output");
  });
});

test("the next command waits until the changes are committed", async () => {
  const { run, runAndKeep } = await open();
  const both = await Promise.all([runAndKeep("echo 1 > n", { session: "one" }), run("cat n", { session: "two" })]);
  expect(both[1].stdout).toBe("1\n");
});

test("a syntax error, an exit and a failed command are told apart by their code", async () => {
  const { run } = await open();
  expect(await run("echo 'open")).toMatchObject({ exitCode: 2, stdout: "" });
  expect(await run("echo a; exit 3; echo b")).toMatchObject({ exitCode: 3, stdout: "a\n" });
  expect(await run("set -e; false; echo no")).toMatchObject({ exitCode: 1, stdout: "" });
  expect(await run("echo x > no/such/folder || echo failed")).toMatchObject({ exitCode: 0, stdout: "failed\n" });
});

test("a thousand files and a large one are there", async () => {
  const contents = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`many/f${i}.txt`, `file ${i}\n`]));
  const { run } = await open({ ...contents, large: new Uint8Array(5_000_000) });
  expect((await run("ls many | wc -l; grep -l 'file 999' -r many; wc -c < large")).stdout).toBe("1000\nmany/f999.txt\n5000000\n");
});
