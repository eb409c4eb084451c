import { describe, expect, test } from "vitest";
import { embeddedSandbox } from "../../src/engine/sandbox/embedded/embedded.ts";
import type { FromShell, ToShell } from "../../src/engine/sandbox/embedded/protocol.ts";
import type { WorkerLike } from "../../src/engine/sandbox/embedded/shell-worker.ts";
import type { RunOptions } from "../../src/engine/sandbox/sandbox.ts";
import { path } from "../fs/notation.ts";
import { manualTimers } from "../providers/timers.ts";
import { loopbackWorker } from "./loopback.ts";
import { changed, dialogName, project } from "./project.ts";

/** A loopback worker that also keeps what was posted to it. */
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
    if (message.type === "put") return `put ${message.path}${message.bytes === null ? " without content" : ""}`;
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
    // Nothing was committed: what the command touched is as it was before.
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

  test("may hold a file and a folder of one name, of which the shell shows one", async () => {
    const { run } = await project({ createWorker: loopbackWorker, contents: { a: "file", "a/b": "inside" } });
    const outcome = await run("cat a; ls");
    expect(outcome).toMatchObject({ stdout: "filea\nvibey\n", changes: [] });
  });
});

/** A worker that does nothing by itself. */
function silentWorker(): {
  readonly create: () => WorkerLike;
  readonly alive: () => number;
  readonly emit: (event: Event) => void;
  readonly say: (data: FromShell) => void;
} {
  let alive = 0;
  let events = new EventTarget();
  return {
    alive: () => alive,
    emit: (event) => void events.dispatchEvent(event),
    say: (data) => void events.dispatchEvent(new MessageEvent("message", { data })),
    create() {
      alive++;
      events = new EventTarget();
      const own = events;
      return {
        postMessage() {},
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

const noFiles = { list: async () => [], read: async () => null };

describe("a worker that fails", () => {
  test("to load ends the command with a plain line, and the next command gets a new one", async () => {
    const worker = silentWorker();
    const sandbox = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers: manualTimers() });
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
    const outcome = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers }).run("ls", options());
    await settled();
    expect(timers.waiting).toEqual([60_000]);
    timers.advance(60_000);
    expect((await outcome).stderr).toContain("it did not start in time");
  });

  test("to stop is killed 400 ms after the limit; what it wrote until then counts", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const outcome = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers }).run("ls", options());
    await settled();
    worker.say({ type: "started" });
    worker.say({ type: "write", path: path("a"), bytes: new Uint8Array([97]) });
    worker.say({ type: "append", path: path("a"), bytes: new Uint8Array([98]) });
    worker.say({ type: "remove", path: path("never-there") });
    expect(timers.waiting).toEqual([1400]);
    timers.advance(1400);
    const done = await outcome;
    expect(done).toMatchObject({ exitCode: 124, limit: "time", ms: 1400 });
    expect(changed(done)).toEqual(["a=ab"]);
    expect(timers.waiting).toEqual([]);
  });

  test("to stop after an abort is killed 100 ms later", async () => {
    const timers = manualTimers();
    const worker = silentWorker();
    const stop = new AbortController();
    const outcome = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers }).run("ls", options({ signal: stop.signal }));
    await settled();
    worker.say({ type: "started" });
    stop.abort();
    expect(timers.waiting).toEqual([100, 1400]);
    timers.advance(100);
    expect(await outcome).toMatchObject({ exitCode: 130, limit: null, aborted: true });
    expect(worker.alive()).toBe(0);
  });
});

describe("files that can't be read", () => {
  test("end the command with a plain line", async () => {
    const files = { list: () => Promise.reject(new Error("storage is broken")), read: async () => null };
    const outcome = await embeddedSandbox({ files, createWorker: loopbackWorker, timers: manualTimers() }).run("ls", options());
    expect(outcome).toMatchObject({ exitCode: 126, stdout: "", changes: [] });
    expect(outcome.stderr).toContain("the project's files could not be read: Error: storage is broken");
  });

  test("may be gone by the time that they are read", async () => {
    const files = { list: async () => [{ path: path("a"), size: 1, mtime: 0, version: 1 }], read: async () => null };
    const sandbox = embeddedSandbox({ files, createWorker: loopbackWorker, timers: manualTimers() });
    const outcome = await sandbox.run("ls; echo x > a", options());
    expect(outcome).toMatchObject({ stdout: "vibey\n", exitCode: 0 });
    expect(outcome.changes).toEqual([{ path: "a", bytes: new TextEncoder().encode("x\n"), base: null }]);
  });
});

test("a command that was disposed of is an aborted one, and so are all after it", async () => {
  const worker = silentWorker();
  const timers = manualTimers();
  const sandbox = embeddedSandbox({ files: noFiles, createWorker: worker.create, timers });
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
