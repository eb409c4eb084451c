import { describe, expect, test } from "vitest";
import { beginApart, embeddedSandbox, mostCommands } from "../../src/shell/embedded/embedded.ts";
import type { FromShell, ToShell } from "../../src/shell/embedded/protocol.ts";
import type { WorkerLike } from "../../src/shell/embedded/shell-worker.ts";
import type { NetAnswer, NetContext, NetRequest } from "../../src/shell/network.ts";
import type { RunOptions } from "../../src/shell/sandbox.ts";
import { path } from "../fs/notation.ts";
import { manualTimers } from "../engine/providers/timers.ts";
import { loopbackWorker } from "./loopback.ts";
import { changed, dialogName, project } from "./project.ts";

/** A loopback worker that also records the messages sent to it. */
function recording(posted: ToShell[]): () => WorkerLike {
  return () => {
    const worker = loopbackWorker();
    return {
      ...worker,
      postMessage(message, transfer) {
        posted.push(message);
        worker.postMessage(message, transfer);
      },
    };
  };
}

const summary = (posted: ToShell[]): string[] =>
  posted.splice(0).flatMap((message) => {
    if (message.type === "put") return message.files.map(({ path: at, bytes }) => `put ${at}${bytes === null ? " without content" : ""}`);
    return message.type === "drop" ? `drop ${message.path}` : [];
  });

describe("what the worker is given", () => {
  test("is everything at first, and then only what differs", async () => {
    const posted: ToShell[] = [];
    const { run, put } = await project({ createWorker: recording(posted), contents: { a: "a", b: "b", c: "c" } });
    await run("cat a");
    expect(summary(posted)).toEqual(["put a", "put b", "put c"]);
    await run("cat a");
    expect(summary(posted)).toEqual([]);
    await put("b", "B");
    await run("echo x > c; rm a; echo y > d");
    expect(summary(posted)).toEqual(["put b"]);
    // Nothing was committed, so the files that the command changed are restored.
    await run("ls");
    expect(summary(posted)).toEqual(["drop d", "put a", "put c"]);
  });

  test("has no dialog's content until a command reads it", async () => {
    const posted: ToShell[] = [];
    const { run, put } = await project({ createWorker: recording(posted), contents: { [dialogName]: "said" } });
    expect((await run("ls -l vibey | awk '{print $5}'")).stdout).toContain("4");
    expect(posted.map((message) => message.type)).toEqual(["put", "run"]);
    expect((await run(`cat ${dialogName} ${dialogName}`)).stdout).toBe("saidsaid");
    expect(posted.filter((message) => message.type === "content").length).toBe(1);
    await put(dialogName, "said more");
    summary(posted);
    expect((await run(`cat ${dialogName}`)).stdout).toBe("said more");
    expect(summary(posted)).toEqual([`put ${dialogName} without content`]);
  });

  describe("of a large project", () => {
    /** Files of 500 KB that contain their number, and small files. */
    const large = Object.fromEntries(Array.from({ length: 34 }, (_, n) => [`big/${n}`, `${n}\n`.padEnd(500_000, `${"x".repeat(99)}\n`)]));
    const patient = { timeoutMs: 100_000 };
    const contents = { ...large, "run.sh": "#!/bin/sh\necho ran\n", small: "small" };
    const received = (posted: ToShell[]): string[] =>
      posted.flatMap((message) => (message.type === "content" ? message.files.map(({ path: at }) => at) : []));

    test("is the small files; of a larger one what a command reads of it", async () => {
      const posted: ToShell[] = [];
      const { run, put } = await project({ createWorker: recording(posted), contents });
      expect((await run("./run.sh; cat small; ls big | wc -l; stat -c %s big/7; find . -size +60k | wc -l")).stdout).toBe(
        "ran\nsmall34\n500000\n34\n",
      );
      expect(summary([...posted]).filter((line) => !line.endsWith(" without content"))).toEqual(["put run.sh", "put small"]);
      expect(received(posted)).toEqual([]);
      expect((await run("head -1 big/7; tail -n +2 big/7 | head -c 2; echo; head -1 big/7")).stdout).toBe("7\nxx\n7\n");
      expect(received(posted)).toEqual(["big/7"]);
      posted.length = 0;
      await put("big/7", "changed\n".padEnd(500_000));
      expect((await run("head -1 big/7 big/20")).stdout).toBe("==> big/7 <==\nchanged\n\n==> big/20 <==\n20\n");
      expect(summary([...posted])).toEqual(["put big/7 without content"]);
      expect(received(posted)).toEqual(["big/7", "big/20"]);
    });

    test("comes in few messages when a command reads much", async () => {
      const posted: ToShell[] = [];
      const { run } = await project({ createWorker: recording(posted), contents });
      expect((await run("head -qc 1 big/* | wc -c", patient)).stdout).toBe("34\n");
      expect(received(posted)).toHaveLength(34);
      expect(posted.filter(({ type }) => type === "content").length).toBeLessThan(10);
    });

    test("can be changed, moved and removed like any other", async () => {
      const { run, files } = await project({ createWorker: loopbackWorker, contents });
      const version = (await files.stat(path("big/1")))?.version;
      const outcome = await run("echo end >> big/1; mv big/2 two; rm big/3; cp big/4 big/5; sed -i 1d big/6; echo new > big/7");
      expect(outcome.stderr).toBe("");
      expect(changed(outcome).map((line) => line.slice(0, 12).split("\n")[0])).toEqual([
        "big/1=1",
        "big/2 gone",
        "big/3 gone",
        "big/5=4",
        "big/6=xxxxxx",
        "big/7=new",
        "two=2",
      ]);
      expect(outcome.changes.find((change) => change.path === "big/1")).toMatchObject({ base: version, bytes: { length: 500_004 } });
      expect((await run("cat big/7 | head -c 2; head -1 big/2")).stdout).toBe("7\n2\n");
    });

    test("is there for a program that can't wait", async () => {
      const { run } = await project({ createWorker: loopbackWorker, contents });
      const script = `const fs = require("fs"); let sum = 0;
        for (const name of ["1", "20", "33"]) sum += fs.readFileSync("big/" + name).length; console.log(sum);`;
      expect(await run(`node -e '${script}'`, patient)).toMatchObject({ stdout: "1500000\n", stderr: "" });
      const sql = "sqlite3 new.db 'create table t(a)' '.import big/9 t' 'select count(*) from t'";
      expect(await run(sql, patient)).toMatchObject({ stdout: "5001\n", stderr: "" });
    });

    test("that changes while a command runs is not changed back by it", async () => {
      const { run, put } = await project({ createWorker: loopbackWorker, contents: { ...contents, [dialogName]: "" } });
      const base = await put("big/1", "base".padEnd(500_000));
      await run("true");
      const running = run(`sleep 0.3; echo more >> big/1; head -c 5 big/1`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await put("big/1", "later".padEnd(500_000));
      const outcome = await running;
      expect(outcome.stdout).toBe("later");
      // The change is based on the version that the command got, so storing it is a conflict.
      expect(outcome.changes.map((change) => change.base)).toEqual([base]);
    });
  });

  test("may hold a file and a folder of one name, of which the shell shows the folder", async () => {
    const { run } = await project({ createWorker: loopbackWorker, contents: { a: "file", "a/b": "inside" } });
    const outcome = await run("cat a/b; ls a; test -f a || ls");
    expect(outcome).toMatchObject({ stdout: "insideb\na\nvibey\n", changes: [] });
  });
});

/** Workers that do nothing by themselves. `emit` and `say` act on the worker that last got a message, or else on the first one alive. */
function silentWorker(): {
  readonly create: () => WorkerLike;
  readonly alive: () => number;
  /** The newest worker. */
  readonly last: () => EventTarget;
  readonly emit: (event: Event) => void;
  readonly say: (data: FromShell) => void;
} {
  let alive = 0;
  let events = new EventTarget();
  let last = events;
  return {
    alive: () => alive,
    last: () => last,
    emit: (event) => void events.dispatchEvent(event),
    say: (data) => void events.dispatchEvent(new MessageEvent("message", { data })),
    create() {
      const own = new EventTarget();
      last = own;
      if (alive === 0) events = own;
      alive++;
      return {
        postMessage: () => void (events = own),
        terminate: () => void alive--,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an EventTarget does not know which events it will have.
        addEventListener: (type: string, heard: (event: never) => void) => own.addEventListener(type, heard as (event: Event) => void),
      };
    },
  };
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

function options(more: Partial<RunOptions> = {}): RunOptions {
  return { session: "one", timeoutMs: 1000, maxBytes: 1000, signal: new AbortController().signal, ...more };
}

const noAssets = () => Promise.reject(new Error("there are none"));
const noFiles = { list: async () => [], read: async () => null, readMany: async () => [] };

describe("a worker that fails", () => {
  test("to load ends the command with a plain line, and the next command gets a new one", async () => {
    const worker = silentWorker();
    const sandbox = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers: manualTimers(), assets: noAssets });
    for (const _ of [1, 2]) {
      const outcome = sandbox.run("ls", options());
      await settled();
      expect(worker.alive()).toBe(1);
      worker.emit(Object.assign(new Event("error"), { message: "blocked by a policy" }));
      expect(await outcome).toMatchObject({
        exitCode: 126,
        limit: null,
        aborted: false,
        stderr: "vibey: the shell failed and will be restarted: blocked by a policy\n",
      });
      expect(worker.alive()).toBe(0);
    }
  });

  test("to start is waited for, and not for ever", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const outcome = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers, assets: noAssets }).run("ls", options());
    await settled();
    expect(timers.waiting).toEqual([60_000]);
    timers.advance(60_000);
    expect((await outcome).stderr).toContain("it did not start in time");
  });

  test("to stop is killed 400 ms after the limit; what it wrote until then counts", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const outcome = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers, assets: noAssets }).run("ls", options());
    await settled();
    worker.say({ type: "started" });
    worker.say({ type: "write", path: path("a"), bytes: new Uint8Array([97]) });
    worker.say({ type: "append", path: path("a"), bytes: new Uint8Array([98]) });
    worker.say({ type: "remove", path: path("never-there") });
    expect(timers.waiting).toEqual([250, 400, 1400]);
    timers.advance(1400);
    const done = await outcome;
    expect(done).toMatchObject({ exitCode: 124, limit: "time", ms: 1400 });
    expect(changed(done)).toEqual(["a=ab"]);
    // The next worker is created after this command has its answer.
    expect(timers.waiting).toEqual([0]);
  });

  test("to stop after an abort is killed 40 ms later and answered for; then another one is made for the next command", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const stop = new AbortController();
    const outcome = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers, assets: noAssets }).run(
      "ls",
      options({ signal: stop.signal }),
    );
    await settled();
    worker.say({ type: "started" });
    stop.abort();
    expect(timers.waiting).toEqual([40, 250, 400, 1400]);
    timers.advance(40);
    expect(await outcome).toMatchObject({ exitCode: 130, limit: null, aborted: true });
    expect(worker.alive()).toBe(0);
    expect(timers.waiting).toEqual([0]);
    timers.advance(0);
    expect(worker.alive()).toBe(1);
  });

  describe("after a quarter of a second", () => {
    /** A command that has run for this long, and the actions on workers since the sandbox was created. */
    async function long() {
      const timers = manualTimers();
      const worker = silentWorker();
      const log: string[] = [];
      let made = 0;
      const createWorker = (): WorkerLike => {
        const n = ++made;
        const own = worker.create();
        return {
          ...own,
          postMessage(message, transfer) {
            own.postMessage(message, transfer);
            log.push(`${message.type} ${n}`);
          },
          terminate() {
            own.terminate();
            log.push(`end ${n}`);
          },
        };
      };
      const stop = new AbortController();
      const sandbox = embeddedSandbox({ files: noFiles, createWorker, timers, assets: noAssets });
      const outcome = sandbox.run("x", options({ signal: stop.signal }));
      await settled();
      worker.say({ type: "started" });
      timers.advance(249);
      expect(made).toBe(1);
      timers.advance(1);
      expect([made, ...log]).toEqual([2, "run 1"]);
      return { timers, worker, log, made: () => made, stop, sandbox, outcome };
    }
    const done = { type: "done", stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, folder: "/project", env: {} } as const;

    test("another worker is made, which takes over when this one is killed", async () => {
      const { timers, log, made, stop, sandbox, outcome } = await long();
      stop.abort();
      timers.advance(40);
      expect(await outcome).toMatchObject({ aborted: true });
      void sandbox.run("y", options());
      await settled();
      expect([made(), ...log]).toEqual([2, "run 1", "abort 1", "end 1", "run 2"]);
      sandbox.dispose();
    });

    test("it is kept when it is not needed, for a command beside the others too, and goes with the sandbox", async () => {
      const { timers, worker, log, made, sandbox, outcome } = await long();
      worker.say(done);
      expect(await outcome).toMatchObject({ exitCode: 0 });
      expect(timers.waiting).toEqual([]);
      const beside = sandbox.runInBackground?.("y", { ...options(), id: "bg-1", commitEveryMs: 10, commitChanges: async () => undefined });
      await settled();
      worker.say(done);
      await beside;
      expect([made(), ...log]).toEqual([2, "run 1", "run 2", "end 2"]);
      const again = sandbox.run("z", options());
      await settled();
      worker.say({ type: "started" });
      timers.advance(250);
      worker.say(done);
      await again;
      sandbox.dispose();
      expect([made(), worker.alive()]).toEqual([3, 0]);
    });

    test("one that can't be loaded is not used", async () => {
      const { timers, worker, log, made, stop, sandbox, outcome } = await long();
      worker.last().dispatchEvent(Object.assign(new Event("error"), { message: "blocked" }));
      expect(log).toEqual(["run 1", "end 2"]);
      stop.abort();
      timers.advance(40);
      await outcome;
      void sandbox.run("y", options());
      await settled();
      expect([made(), ...log.slice(2)]).toEqual([3, "abort 1", "end 1", "run 3"]);
      sandbox.dispose();
    });
  });
});

describe("files that can't be read", () => {
  test("end the command with a plain line", async () => {
    const files = { list: () => Promise.reject(new Error("storage is broken")), read: async () => null, readMany: async () => [] };
    const outcome = await embeddedSandbox({ files, createWorker: loopbackWorker, timers: manualTimers(), assets: noAssets }).run(
      "ls",
      options(),
    );
    expect(outcome).toMatchObject({ exitCode: 126, stdout: "", changes: [] });
    expect(outcome.stderr).toContain("the project's files could not be read: Error: storage is broken");
  });

  test("may be gone by the time that they are read", async () => {
    const files = {
      list: async () => [{ path: path("a"), size: 1, mtime: 0, version: 1 }],
      read: async () => null,
      readMany: async () => [],
    };
    const sandbox = embeddedSandbox({ files, createWorker: loopbackWorker, timers: manualTimers(), assets: noAssets });
    const outcome = await sandbox.run("ls; echo x > a", options());
    expect(outcome).toMatchObject({ stdout: "vibey\n", exitCode: 0 });
    expect(outcome.changes).toEqual([{ path: "a", bytes: new TextEncoder().encode("x\n"), base: null }]);
  });
});

test("a command that was disposed of is an aborted one, and so are all after it", async () => {
  const worker = silentWorker();
  const timers = manualTimers();
  const sandbox = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers, assets: noAssets });
  const running = sandbox.run("ls", options());
  const waiting = sandbox.run("ls", options());
  await settled();
  sandbox.dispose();
  expect(worker.alive()).toBe(0);
  expect(await waiting).toMatchObject({ aborted: true });
  expect(await sandbox.run("ls", options())).toMatchObject({ aborted: true });
  expect(worker.alive()).toBe(0);
  timers.advance(100);
  expect(await running).toMatchObject({ aborted: true });
});

test("a commit that rejects is a programmer's mistake: the caller hears of it, and the next command runs", async () => {
  const { run } = await project({ createWorker: loopbackWorker });
  await expect(run("ls", { commit: () => Promise.reject(new Error("mistake")) })).rejects.toThrow("mistake");
  expect((await run("ls")).stdout).toBe("vibey\n");
});

describe("a command that was killed", () => {
  test("keeps what it had shown, and says that the last of it may be missing", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const outcome = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers, assets: noAssets }).run(
      "x",
      options({ maxBytes: 100 }),
    );
    await settled();
    worker.say({ type: "started" });
    worker.say({ type: "output", output: { stream: "stdout", text: "one\n" } });
    worker.say({ type: "output", output: { stream: "progress", text: "50 %" } });
    worker.say({ type: "output", output: { stream: "stderr", text: "two" } });
    timers.advance(1400);
    expect(await outcome).toMatchObject({
      stdout: "one\n",
      stderr: expect.stringMatching(/^two\nvibey: the command did not stop by itself, so the shell was restarted; .* may be missing\n$/),
      exitCode: 124,
      limit: "time",
    });
  });

  test("has a worker after it that is up to date before anybody needs it", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const listed: number[] = [];
    const files = { list: async () => (listed.push(worker.alive()), []), read: async () => null, readMany: async () => [] };
    const sandbox = embeddedSandbox({ files, createWorker: worker.create, timers, assets: noAssets });
    const outcome = sandbox.run("x", options());
    await settled();
    worker.say({ type: "started" });
    timers.advance(1400);
    await outcome;
    expect([worker.alive(), listed]).toEqual([1, [1]]);
    timers.advance(0);
    await settled();
    expect([worker.alive(), listed]).toEqual([1, [1, 1]]);
    worker.last().dispatchEvent(Object.assign(new Event("error"), { message: "out of memory" }));
    expect(worker.alive()).toBe(0);
    void sandbox.run("y", options());
    await settled();
    expect(worker.alive()).toBe(1);
    sandbox.dispose();
  });

  test("that fails between two commands is not used again", async () => {
    const worker = silentWorker();
    const sandbox = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers: manualTimers(), assets: noAssets });
    const first = sandbox.run("x", options());
    await settled();
    worker.say({ type: "done", stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, folder: "/project", env: {} });
    await first;
    worker.emit(Object.assign(new Event("error"), { message: "out of memory" }));
    expect(worker.alive()).toBe(0);
    void sandbox.run("y", options());
    await settled();
    expect(worker.alive()).toBe(1);
    sandbox.dispose();
  });
});

describe("a worker that something took over", () => {
  const done = { type: "done", stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, folder: "/project", env: {} };
  const write = { type: "write", path: "a", bytes: new Uint8Array([97]) };
  const request = { url: "https://a.example/", method: "GET", headers: [], body: null, program: "curl", follow: true };

  test.each<[string, unknown]>([
    ["nothing", null],
    ["a text", "done"],
    ["an unknown type", { type: "put", files: [] }],
    ["a path out of the project", { ...write, path: "../a" }],
    ["a path that the project can't hold", { ...write, path: "b/../vibey//doc-main.md" }],
    ["a path that is none", { ...write, path: 1 }],
    ["bytes that are none", { ...write, bytes: { length: 1e9 } }],
    ["more of a file that it did not begin", { ...write, type: "append" }],
    ["output that is none", { type: "output", output: { stream: "__proto__", text: "x" } }],
    ["a request without an address", { type: "fetch", id: 1, request: { ...request, url: null } }],
    ["headers that are none", { type: "fetch", id: 1, request: { ...request, headers: [["a"]] } }],
    ["operands that are none", { type: "background", id: 1, operands: null }],
    ["an end without output", { ...done, stdout: { length: 1 } }],
    ["an end with another environment", { ...done, env: { A: 1 } }],
  ])("is ended when it says %s", async (_, said) => {
    const worker = silentWorker();
    const sandbox = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers: manualTimers(), assets: noAssets });
    const outcome = sandbox.run("x", options());
    await settled();
    worker.say({ type: "started" });
    worker.emit(new MessageEvent("message", { data: said }));
    expect(await outcome).toMatchObject({ exitCode: 126, changes: [] });
    expect(worker.alive()).toBe(0);
  });

  test("gets no more time by beginning again, and no more output than any command", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const sandbox = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers, assets: noAssets });
    const late = sandbox.run("x", options());
    await settled();
    worker.say({ type: "started" });
    timers.advance(1000);
    worker.say({ type: "started" });
    expect(timers.waiting).toEqual([400]);
    timers.advance(400);
    expect(await late).toMatchObject({ limit: "time" });
    const large = sandbox.run("x", options());
    await settled();
    worker.emit(new MessageEvent("message", { data: { ...done, stdout: "x".repeat(1e6) } }));
    const { stdout, limit } = await large;
    expect([stdout.length <= 1000, limit]).toEqual([true, "output"]);
    sandbox.dispose();
  });

  test("is not used again when it changes a file between two commands", async () => {
    const worker = silentWorker();
    const created: number[] = [];
    const createWorker = () => (created.push(1), worker.create());
    const sandbox = embeddedSandbox({ files: noFiles, createWorker, timers: manualTimers(), assets: noAssets });
    const first = sandbox.run("x", options());
    await settled();
    worker.emit(new MessageEvent("message", { data: done }));
    await first;
    worker.emit(new MessageEvent("message", { data: write }));
    expect([created.length, worker.alive()]).toEqual([2, 1]);
    sandbox.dispose();
  });
});

test("files that could not be read for a worker are sent to it later", async () => {
  const timers = manualTimers();
  const posted: ToShell[] = [];
  const silent = silentWorker();
  let broken = false;
  const stat = { path: path("a"), size: 1, mtime: 0, version: 1 };
  const files = {
    list: async () => [stat, { ...stat, path: path("b") }],
    read: async () => null,
    async readMany(paths: readonly string[]) {
      if (broken && paths.includes("b")) throw new Error("storage is busy");
      return paths.map(() => ({ bytes: new Uint8Array([97]), version: 1 }));
    },
  };
  const createWorker = () => ({ ...silent.create(), postMessage: (message: ToShell) => void posted.push(message) });
  const sandbox = embeddedSandbox({ files, createWorker, timers, assets: noAssets });
  const first = sandbox.run("x", options());
  await settled();
  silent.say({ type: "started" });
  broken = true;
  timers.advance(1400);
  await first;
  await settled();
  broken = false;
  summary(posted);
  void sandbox.run("y", options());
  await settled();
  expect(summary(posted)).toEqual(["put a", "put b"]);
  sandbox.dispose();
});

test("a long range of numbers is written in full, or fails", async () => {
  const { run } = await project({ createWorker: loopbackWorker });
  expect((await run("echo {1..16000} | wc -w; echo {00016..1} {25000..1..2} | awk '{ print NF, $1, $NF }'")).stdout.split(/\s+/)).toEqual([
    "16000",
    "12516",
    "00016",
    "2",
    "",
  ]);
  const tooLong = await run("echo {1..1000000000} | wc -w");
  expect(tooLong.exitCode).not.toBe(0);
  expect(tooLong.stderr).toContain("brace expansion");
});

describe("while a human is asked", () => {
  const request: NetRequest = { url: "https://a.example/x", method: "GET", headers: [], body: null, program: "curl", follow: true };

  /** A command that sends `request` three times. The test sees the questions and answers them. */
  async function asking(more: Partial<RunOptions> = {}) {
    const timers = manualTimers();
    const worker = silentWorker();
    const posted: ToShell[] = [];
    const asked: { readonly context: NetContext; readonly answer: (answer: NetAnswer) => void }[] = [];
    const sandbox = embeddedSandbox({
      files: noFiles,
      timers,
      assets: noAssets,
      createWorker: () => {
        const made = worker.create();
        return { ...made, postMessage: (message) => posted.push(message) };
      },
    });
    const outcome = sandbox.run(
      "curl",
      options({ ...more, network: (_, context) => new Promise((resolve) => asked.push({ context, answer: resolve })) }),
    );
    await settled();
    worker.say({ type: "started" });
    for (const id of [1, 2, 3]) worker.say({ type: "fetch", id, request });
    await settled();
    return { timers, worker, posted, asked, sandbox, outcome };
  }

  test("the command's time stands still, until the last question is answered", async () => {
    const { timers, posted, asked, outcome, worker } = await asking();
    timers.advance(900);
    asked[0]?.context.waitsForHuman(true);
    asked[1]?.context.waitsForHuman(true);
    timers.advance(3_600_000);
    asked[1]?.context.waitsForHuman(false);
    asked[0]?.answer({ kind: "refused", why: "no" });
    await settled();
    expect(posted.filter(({ type }) => type === "clock" || type === "fetched")).toEqual([
      { type: "clock", running: false },
      { type: "clock", running: true },
      { type: "fetched", id: 1, answer: { kind: "refused", why: "no" } },
    ]);
    expect(timers.waiting).toEqual([500]);
    timers.advance(500);
    expect(await outcome).toMatchObject({ limit: "time" });
    expect(asked.map(({ context }) => context.signal.aborted)).toEqual([true, true, true]);
    expect(worker.alive()).toBe(1);
  });

  test("sixteen requests are under way at one time, and the others follow", async () => {
    const { worker, posted, asked } = await asking();
    for (let id = 4; id <= 40; id += 1) worker.say({ type: "fetch", id, request });
    await settled();
    expect(asked).toHaveLength(16);
    asked[3]?.answer({ kind: "refused", why: "no" });
    await settled();
    expect(asked).toHaveLength(17);
    for (let n = 0; n < asked.length; n += 1) {
      asked[n]?.answer({ kind: "refused", why: "no" });
      await settled();
    }
    expect(posted.filter(({ type }) => type === "fetched")).toHaveLength(40);
  });

  test("a late answer is nobody's", async () => {
    const { worker, posted, asked, outcome, sandbox } = await asking();
    worker.say({ type: "done", stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, folder: "/project", env: {} });
    await outcome;
    expect(asked[0]?.context.signal.aborted).toBe(true);
    asked[0]?.context.waitsForHuman(true);
    asked[0]?.answer({ kind: "failed", why: "late" });
    await settled();
    expect(posted.map(({ type }) => type)).toEqual(["run"]);
    sandbox.dispose();
  });

  test("it may take any time, and keeps no one waiting, however many questions are open", async () => {
    const { timers, worker, posted, asked, sandbox, outcome } = await asking();
    asked[0]?.context.waitsForHuman(true);
    for (let nth = 0; nth < mostCommands; nth += 1) {
      void sandbox.run(`other ${nth}`, options({ session: `other ${nth}`, timeoutMs: 60_000 }));
      await settled();
      worker.last().dispatchEvent(new MessageEvent("message", { data: { type: "started" } }));
      timers.advance(beginApart);
      await settled();
    }
    timers.advance(50_000);
    await settled();
    const ran = posted.flatMap((message) => (message.type === "run" ? [message.command] : []));
    expect(ran).toEqual(["curl", ...Array.from({ length: mostCommands }, (_, nth) => `other ${nth}`)]);
    expect([asked[0]?.context.signal.aborted, posted.some(({ type }) => type === "fetched")]).toEqual([false, false]);
    sandbox.dispose();
    timers.advance(100);
    expect(await outcome).toMatchObject({ aborted: true });
    expect(worker.alive()).toBe(0);
  });
});

test("time that stands still is not the interpreter's either", async () => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const { run } = await project({ createWorker: loopbackWorker });
  const network = async (_: NetRequest, context: NetContext): Promise<NetAnswer> => {
    context.waitsForHuman(true);
    await wait(2300);
    context.waitsForHuman(false);
    return { kind: "refused", why: "no" };
  };
  // Loads its code first.
  await run("curl -sS https://a.example/");
  const outcome = await run("echo before; curl -sS https://a.example/; echo after", { timeoutMs: 2000, network });
  expect(outcome).toMatchObject({ stdout: "before\nafter\n", limit: null });
});

test("a request that nobody answers ends with the command's time, and what was printed is kept", async () => {
  const { run } = await project({ createWorker: loopbackWorker });
  const network = (): Promise<NetAnswer> => new Promise(() => undefined);
  await run("curl -sS https://a.example/");
  const outcome = await run("echo before; curl -sS https://a.example/; echo after", { timeoutMs: 1500, network });
  expect(outcome).toMatchObject({ stdout: "before\n", exitCode: 124, limit: "time" });
  expect((await run("echo next")).stdout).toBe("next\n");
});

describe("a command beside the others", () => {
  test("has what its session has, and keeps nobody waiting", async () => {
    const { run, sandbox, files } = await project({ createWorker: loopbackWorker, contents: { "src/a": "a\n" } });
    await run("cd src; export X=1");
    const committed: string[] = [];
    const stop = new AbortController();
    const shown: string[] = [];
    const beside = sandbox.runInBackground?.("pwd; echo $X; cat a; echo b > b; while :; do sleep 0.01; done", {
      session: "one",
      timeoutMs: 60_000,
      maxBytes: 1000,
      signal: stop.signal,
      onOutput: ({ text }) => shown.push(text),
      id: "bg-1",
      commitEveryMs: 1,
      commitChanges: async (changes) => {
        for (const { path: at, bytes, base } of changes) {
          committed.push(`${at} ${base}`);
          if (bytes) await files.commit([{ op: "write", path: at, data: bytes }], { durability: "relaxed" });
        }
      },
    });
    await expect.poll(() => committed).toEqual(["src/b null"]);
    expect((await run("pwd; cat b; cd ..")).stdout).toBe("/project/src\nb\n");
    stop.abort();
    expect(await beside).toMatchObject({ stdout: "/project/src\n1\na\n", aborted: true, changes: [] });
    expect(shown.join("")).toContain("/project/src\n1\na\n");
    expect(committed).toEqual(["src/b null"]);
    expect((await run("pwd")).stdout).toBe("/project\n");
    sandbox.dispose();
  });

  test("stores at its end what could not be looked at while it ran", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    let broken = false;
    const files = {
      list: async () => [{ path: path("a"), size: 1, mtime: 0, version: 1 }],
      read: async () => null,
      async readMany(paths: readonly string[]) {
        if (broken) throw new Error("storage is busy");
        return paths.map(() => ({ bytes: new Uint8Array([97]), version: 1 }));
      },
    };
    const sandbox = embeddedSandbox({ files, createWorker: worker.create, timers, assets: noAssets });
    const committed: string[] = [];
    const beside = sandbox.runInBackground?.("x", {
      ...options({ timeoutMs: 60_000 }),
      id: "bg-1",
      commitEveryMs: 10,
      commitChanges: async (changes) => void committed.push(...changes.map(({ path: at }) => at)),
    });
    await settled();
    worker.say({ type: "started" });
    worker.say({ type: "write", path: path("a"), bytes: new Uint8Array([98]) });
    broken = true;
    timers.advance(10);
    await settled();
    broken = false;
    worker.say({ type: "done", stdout: "", stderr: "", exitCode: 0, limit: null, aborted: false, folder: "/project", env: {} });
    expect((await beside)?.exitCode).toBe(0);
    expect(committed).toEqual(["a"]);
    expect(timers.waiting).toEqual([]);
  });

  test("stores a file that somebody else changed too once, at its end", async () => {
    const { sandbox, put, files } = await project({ createWorker: loopbackWorker, contents: { log: "" } });
    const committed: string[] = [];
    const beside = sandbox.runInBackground?.("for i in $(seq 60); do echo $i >> log; sleep 0.01; done", {
      session: "one",
      timeoutMs: 60_000,
      maxBytes: 1000,
      signal: new AbortController().signal,
      id: "bg-1",
      commitEveryMs: 20,
      async commitChanges(changes) {
        // The engine's rule: changes by others stay.
        for (const { path: at, base } of changes) {
          const now = await files.read(at);
          committed.push(now?.version === base ? "ours" : "beside");
        }
        if (committed.length === 1) await put("log", "theirs\n");
      },
    });
    expect(await beside).toMatchObject({ exitCode: 0 });
    expect(committed).toEqual(["ours", "beside"]);
    sandbox.dispose();
  });
});

describe("process substitutions", () => {
  test("leave the shell as it was, and refuse nothing", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    const command = "diff <(node -p 1) <(node -p 2); eval 'set -- {1..10001}; echo $#; echo job & wait'; node -p 3";
    expect(await run(command)).toMatchObject({ stdout: "1c1\n< 1\n---\n> 2\n10001\njob\n3\n", stderr: "" });
  });
});

test("what is exported reaches node and npm through other commands", async () => {
  const contents = { "package.json": '{"scripts":{"show":"node -p process.env.A"}}' };
  const { run } = await project({ createWorker: loopbackWorker, contents });
  const show = "node -p process.env.A";
  const command = `export A=1; timeout 90 ${show}; env A=2 ${show}; echo x | A=3 xargs -I{} ${show}; find . -maxdepth 0 -exec ${show} \\;; timeout 90 npm run -s show; ${show} & wait`;
  expect(await run(command, { timeoutMs: 200_000 })).toMatchObject({ stdout: "1\n2\n3\n1\n1\n1\n", stderr: "" });
});

describe("the command background", () => {
  test("is answered by the engine", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    const background = async (operands: readonly string[]) => ({ stdout: `${operands.join(",")}\n`, stderr: "heard\n", exitCode: 3 });
    expect(await run("background read bg-1 | tr a-z A-Z; background; echo $?", { background })).toMatchObject({
      stdout: "READ,BG-1\n\n3\n",
      stderr: "heard\nheard\n",
    });
  });

  test("says so where there is none", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    expect(await run("background")).toMatchObject({ exitCode: 1, stderr: "background: there is no background here\n" });
  });
});
