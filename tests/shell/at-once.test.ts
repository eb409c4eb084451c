import { describe, expect, test } from "vitest";
import { systemTimers } from "../../src/engine/providers/deps.ts";
import { beginApart, embeddedSandbox, mostCommands } from "../../src/shell/embedded/embedded.ts";
import type { NetAnswer, Network } from "../../src/shell/network.ts";
import type { RunOptions } from "../../src/shell/sandbox.ts";
import { path } from "../fs/notation.ts";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

/** The next command starts as soon as the one before has started. */
const noDistance = { ...systemTimers, after: (ms: number, then: () => void) => systemTimers.after(ms === beginApart ? 0 : ms, then) };
/** The next command never starts before the one before has ended. */
const anyDistance = {
  ...systemTimers,
  after: (ms: number, then: () => void) => (ms === beginApart ? () => undefined : systemTimers.after(ms, then)),
};

/** A network that answers when `many` requests are pending, from any commands. */
function meeting(many: number): Network {
  let waiting: ((answer: NetAnswer) => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < many) return;
      for (const answer of waiting) answer({ kind: "refused", why: "all are here" });
      waiting = [];
    });
}

const met = "curl -sS https://a.example/";

describe("commands of several sessions", () => {
  test("run at one time: each waits for what the others do", async () => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker, timers: noDistance });
    const network = meeting(mostCommands);
    const sessions = Array.from({ length: mostCommands }, (_, nth) => `session ${nth}`);
    const outcomes = await Promise.all(sessions.map((session) => run(met, { session, network })));
    for (const { stderr } of outcomes) expect(stderr).toContain("all are here");
    sandbox.dispose();
  });

  test("of one session run one after another, and the second sees what the first stored", async () => {
    const { runAndKeep, sandbox } = await project({ createWorker: loopbackWorker, timers: noDistance });
    const commands = ["cd /tmp; echo a > /project/a; echo 1 > kept", "pwd; cat kept /project/a"];
    const [, second] = await Promise.all(commands.map((command) => runAndKeep(command)));
    expect(second?.stdout).toBe("/tmp\n1\na\n");
    sandbox.dispose();
  });

  test("that are short see each other's files, so that two appends to a new file are in no conflict", async () => {
    const { runAndKeep, files, sandbox } = await project({ createWorker: loopbackWorker, timers: anyDistance });
    await Promise.all(["a", "b", "c"].map((session) => runAndKeep(`echo ${session} >> log`, { session })));
    expect(new TextDecoder().decode((await files.read(path("log")))?.bytes)).toBe("a\nb\nc\n");
    sandbox.dispose();
  });

  test("that wait for a human let the next one begin, however short they are", async () => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker, timers: anyDistance });
    const together = meeting(2);
    const network: Network = async (request, context) => {
      context.waitsForHuman(true);
      const answer = await together(request, context);
      context.waitsForHuman(false);
      return answer;
    };
    const outcomes = await Promise.all(["a", "b"].map((session) => run(met, { session, network })));
    for (const { stderr } of outcomes) expect(stderr).toContain("all are here");
    sandbox.dispose();
  });

  test("commit one after another, in the order in which they ended", async () => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker, timers: noDistance });
    const network = meeting(3);
    let committing = 0;
    const most: number[] = [];
    const commit = async (): Promise<void> => {
      committing += 1;
      most.push(committing);
      await new Promise((resolve) => setTimeout(resolve));
      committing -= 1;
    };
    await Promise.all(["a", "b", "c"].map((session) => run(met, { session, network, commit })));
    expect(most).toEqual([1, 1, 1]);
    sandbox.dispose();
  });
});

describe("the claim", () => {
  const never = { exitCode: 130, aborted: true, stdout: "", changes: [] };

  test.each<[string, Partial<RunOptions>]>([
    ["is refused", { claim: async () => false }],
    ["is made while the command is stopped", {}],
  ])("that %s: nothing runs, nothing is committed, and the shell stays as it was", async (_, given) => {
    const { run, runAndKeep, files, sandbox } = await project({ createWorker: loopbackWorker });
    await runAndKeep("echo kept > /tmp/kept");
    const stop = new AbortController();
    const claim = async (): Promise<boolean> => {
      stop.abort();
      return true;
    };
    const commit = (): Promise<void> => Promise.reject(new Error("there is nothing to commit"));
    const outcome = await run("echo x > x", { claim, commit, signal: stop.signal, ...given });
    expect(outcome).toMatchObject(never);
    expect(await files.read(path("x"))).toBeNull();
    expect((await run("cat /tmp/kept")).stdout).toBe("kept\n");
    sandbox.dispose();
  });

  test("is made once for each command, after the files were looked at and before anything runs", async () => {
    const log: string[] = [];
    const { run, sandbox } = await project({
      createWorker() {
        const worker = loopbackWorker();
        return {
          ...worker,
          postMessage(message, transfer) {
            if (message.type === "run" || message.type === "put") log.push(message.type);
            worker.postMessage(message, transfer);
          },
        };
      },
      contents: { a: "a" },
    });
    const claim = async (): Promise<boolean> => {
      log.push("claim");
      return true;
    };
    await run("true", { claim, begins: () => log.push("begins") });
    expect(log).toEqual(["begins", "put", "claim", "run"]);
    sandbox.dispose();
  });

  describe("where the worker fails while it is made ready", () => {
    /** One command whose worker never finishes starting, and another whose worker fails during that. */
    async function failing() {
      const workers: EventTarget[] = [];
      let claims = 0;
      const sandbox = embeddedSandbox({
        files: { list: async () => [], read: async () => null, readMany: async () => [] },
        timers: systemTimers,
        assets: () => Promise.reject(new Error("there are none")),
        createWorker() {
          const own = new EventTarget();
          workers.push(own);
          return {
            postMessage: () => undefined,
            terminate: () => undefined,
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an EventTarget does not know which events it will have.
            addEventListener: (type: string, heard: (event: never) => void) => own.addEventListener(type, heard as (event: Event) => void),
          };
        },
      });
      const claim = async (): Promise<boolean> => (claims += 1) > 0;
      const [stopFirst, stopSecond] = [new AbortController(), new AbortController()];
      const run = (session: string, { signal }: AbortController) =>
        sandbox.run("x", { session, timeoutMs: 1000, maxBytes: 1000, signal, ...(session === "two" ? { claim } : {}) });
      const first = run("one", stopFirst);
      const second = run("two", stopSecond);
      await new Promise((resolve) => setTimeout(resolve));
      workers[1]?.dispatchEvent(Object.assign(new Event("error"), { message: "blocked" }));
      return { sandbox, workers, claims: () => claims, run, first, second, stopFirst, stopSecond };
    }

    test("it is not made, and the command says why", async () => {
      const { sandbox, claims, first, second, stopFirst } = await failing();
      stopFirst.abort();
      expect(await first).toMatchObject({ aborted: true });
      expect(await second).toMatchObject({ exitCode: 126, stderr: "vibey: the shell failed and will be restarted: blocked\n" });
      expect(claims()).toBe(0);
      sandbox.dispose();
    });

    test("and the command is stopped, its dialog's next one has another worker", async () => {
      const { sandbox, workers, claims, run, second, stopSecond } = await failing();
      stopSecond.abort();
      expect(await second).toMatchObject({ aborted: true });
      expect([workers.length, claims()]).toEqual([2, 0]);
      void run("two", new AbortController());
      await new Promise((resolve) => setTimeout(resolve));
      expect(workers.length).toBe(3);
      sandbox.dispose();
    });
  });
});
