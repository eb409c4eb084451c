import { afterEach, describe, expect, test } from "vitest";
import type { RunOptions, RunOutcome, SandboxChange } from "../../../src/shell/sandbox.ts";
import { encodeLine, type FromScript, lineMark, type ToScript } from "../../../src/shell/webcontainer/script-protocol.ts";
import { webContainerSandbox } from "../../../src/shell/webcontainer/webcontainer.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { path } from "../../fs/notation.ts";
import { manualTimers } from "../../engine/providers/timers.ts";
import { type FakeWebContainer, type FakeProcess, fakeWebContainer, snapshotOf } from "./fake-webcontainer.ts";

type Run = Extract<ToScript, { readonly type: "run" }>;

/** How the fake shell handles a command. */
interface FakeShell {
  readonly run: Run;
  readonly container: FakeWebContainer;
  readonly say: (message: FromScript) => void;
  readonly done: (stdout?: string) => void;
  readonly exit: (code: number) => void;
  onAbort: () => void;
  onAnswer: (stdout: string) => void;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function world(contents: Readonly<Record<string, string>> = {}) {
  const files = memoryFiles({ now: () => 0 });
  const epoch = await files.lead();
  const commit = async (changes: Parameters<typeof files.commit>[0]) => {
    const done = await files.commit(changes, { epoch, durability: "relaxed" });
    if (!done.ok) throw new Error(done.failure.kind);
  };
  const write = (name: string, content: string) => commit([{ op: "write", path: path(name), data: content }]);
  for (const [name, content] of Object.entries(contents)) await write(name, content);

  const container = fakeWebContainer();
  const programs: string[] = [];
  let shell: (given: FakeShell) => void = ({ run, done }) => done(`ran ${run.command}\n`);
  let load = async (): Promise<Uint8Array> => bytes("the script");
  let npm: (process: FakeProcess) => void = (process) => process.exit(0);
  container.start = (process) => {
    programs.push([process.program, ...process.args].join(" "));
    if (process.program === "npm") return npm(process);
    const say = (message: FromScript) => process.print(lineMark + encodeLine(message));
    if (process.args.includes("--install")) {
      say({ type: "installed", path: "/tmp/vibey/shell.mjs" });
      return process.exit(0);
    }
    say({ type: "ready" });
    const given: { shell: FakeShell | null } = { shell: null };
    process.onInput = (line) => {
      const message = JSON.parse(line) as ToScript;
      if (message.type === "abort") return given.shell?.onAbort();
      if (message.type === "answered") return given.shell?.onAnswer(message.answer.stdout);
      given.shell = {
        run: message,
        container,
        say,
        done(stdout = "") {
          say({ type: "done", stdout, stderr: "", exitCode: 0, limit: null, aborted: false, folder: message.folder, env: message.env });
          process.exit(0);
        },
        exit: (code) => process.exit(code),
        onAbort: () => undefined,
        onAnswer: () => undefined,
      };
      say({ type: "started" });
      shell(given.shell);
    };
  };
  const timers = manualTimers();
  let views = 0;
  let connections = 0;
  const sandbox = webContainerSandbox({
    files: { list: () => files.list(), read: (at) => files.read(at), readMany: (paths) => Promise.all(paths.map((at) => files.read(at))) },
    connect() {
      connections += 1;
      return container.port;
    },
    loadScript: () => load(),
    timers,
    changed: () => (views += 1),
  });
  const late: string[][] = [];
  const lateOf: (string | null)[] = [];
  sandbox.storeLateBy(async (changes, session) => {
    lateOf.push(session);
    late.push(listed(changes));
  });
  made.push(() => sandbox.dispose());
  const options = (given: Partial<RunOptions> = {}): RunOptions => ({
    session: "d",
    timeoutMs: 30_000,
    maxBytes: 1_000,
    signal: new AbortController().signal,
    async commit({ changes }) {
      await commit(
        changes.map((change) =>
          change.bytes === null ? { op: "remove", path: change.path } : { op: "write", path: change.path, data: change.bytes },
        ),
      );
    },
    ...given,
  });
  return {
    files,
    container,
    sandbox,
    programs,
    timers,
    options,
    write,
    /** The changes that the sandbox stored by itself. */
    late,
    /** The session of those changes. */
    lateOf,
    connections: () => connections,
    views: () => views,
    setShell: (next: (given: FakeShell) => void) => void (shell = next),
    setLoad: (next: () => Promise<Uint8Array>) => void (load = next),
    setNpm: (next: (process: FakeProcess) => void) => void (npm = next),
    async run(command: string, given: Partial<RunOptions> = {}): Promise<RunOutcome> {
      const done = await sandbox.run(command, options(given));
      if ("unavailable" in done) throw new Error(done.unavailable);
      return done;
    },
    text: async (name: string) => {
      const content = await files.read(path(name));
      return content && new TextDecoder().decode(content.bytes);
    },
  };
}

const made: (() => void)[] = [];
afterEach(() => {
  for (const dispose of made.splice(0)) dispose();
});

const listed = (changes: readonly SandboxChange[]): string[] =>
  changes.map((change) => `${change.path} ${change.bytes === null ? "gone" : new TextDecoder().decode(change.bytes)}`);

/** Waits until `isSo` returns true. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; !isSo(); i += 1) {
    if (i === 1000) throw new Error("it never came");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a command", () => {
  test("has the project's files, and what it changed comes with its result and is stored before the next one starts", async () => {
    const w = await world({ "a.txt": "1" });
    w.setShell(({ run, container, done }) => {
      const before = new TextDecoder().decode(container.files.get("a.txt"));
      container.files.set("a.txt", bytes(`${before}${run.command}`));
      done(before);
    });
    const [first, second] = await Promise.all([w.run("x"), w.run("y")]);
    expect([first.stdout, second.stdout]).toEqual(["1", "1x"]);
    expect(listed(first.changes)).toEqual(["a.txt 1x"]);
    expect(await w.text("a.txt")).toBe("1xy");
    expect(w.connections()).toBe(1);
  });

  test("the script is brought in, moved away, and is no file of the project", async () => {
    const w = await world();
    expect((await w.run("x")).changes).toEqual([]);
    expect(w.programs.slice(0, 2)).toEqual(["node .vibey-shell/shell.mjs --install", "node /tmp/vibey/shell.mjs"]);
    expect([...w.container.files.keys()]).toEqual([]);
  });

  test("its folder and what it exported are kept for the next one of its dialog", async () => {
    const w = await world();
    w.setShell(({ run, say }) =>
      say({
        type: "done",
        stdout: run.folder,
        stderr: "",
        exitCode: 0,
        limit: null,
        aborted: false,
        folder: `${run.folder}/src`,
        env: { X: "1" },
      }),
    );
    const folders = [await w.run("x"), await w.run("y"), await w.run("z", { session: "other" })].map(({ stdout }) => stdout);
    expect(folders).toEqual(["/home/project", "/home/project/src", "/home/project"]);
  });

  test("what it prints is shown while it runs, and what is no line of the protocol is not", async () => {
    const w = await world();
    const shown: string[] = [];
    w.setShell(({ say, done }) => {
      say({ type: "output", output: { stream: "stdout", text: "early" } });
      done("early");
    });
    await w.run("x", { onOutput: ({ stream, text }) => void shown.push(`${stream} ${text}`) });
    expect(shown.filter((line) => !line.startsWith("progress"))).toEqual(["stdout early"]);
    expect(shown[0]).toBe("progress the WebContainer starts");
    expect(shown.findLast((line) => line.startsWith("progress"))).toBe("progress ");
  });

  test("what it asks of the engine is answered", async () => {
    const w = await world();
    w.setShell((given) => {
      given.onAnswer = (stdout) => given.done(stdout);
      given.say({ type: "background", id: 1, operands: ["list"] });
    });
    const { stdout } = await w.run("x", { background: async (operands) => ({ stdout: `of ${operands.join()}`, stderr: "", exitCode: 0 }) });
    expect(stdout).toBe("of list");
  });

  test("is aborted at once while it waits for its turn, and by the shell while it runs", async () => {
    const w = await world();
    const [first, second] = [new AbortController(), new AbortController()];
    w.setShell((given) => {
      given.onAbort = () =>
        given.say({ type: "done", stdout: "so far", stderr: "", exitCode: 130, limit: null, aborted: true, folder: "/", env: {} });
      second.abort();
    });
    const [one, two] = [w.run("x", { signal: first.signal }), w.run("y", { signal: second.signal })];
    expect(await two).toMatchObject({ aborted: true, exitCode: 130 });
    first.abort();
    expect(await one).toMatchObject({ aborted: true, stdout: "so far" });
  });

  test("is claimed when its turn has come and its files are there, and not while it waits", async () => {
    const w = await world({ a: "1" });
    const log: string[] = [];
    w.setShell(({ container, run, done }) => {
      log.push(`${run.command} runs with ${[...container.files.keys()].join(" ")}`);
      done();
    });
    const given = (name: string): Partial<RunOptions> => ({
      waits: () => log.push(`${name} waits`),
      begins: () => log.push(`${name} begins`),
      claim: async () => log.push(`${name} is claimed`) > 0,
    });
    await Promise.all([w.run("x", given("x")), w.run("y", given("y"))]);
    expect(log).toEqual(["y waits", "x begins", "x is claimed", "x runs with a", "y begins", "y is claimed", "y runs with a"]);
  });

  test("does not run when it is not claimed", async () => {
    const w = await world();
    const ran: string[] = [];
    w.setShell(({ run, done }) => {
      ran.push(run.command);
      done();
    });
    expect(await w.run("x", { claim: async () => false })).toMatchObject({ aborted: true, exitCode: 130 });
    await w.run("y");
    expect(ran).toEqual(["y"]);
  });

  test.each([
    ["abort", 130, null],
    ["time", 124, "time"],
  ] as const)("one that does not stop by itself is killed (%s); what it had shown and changed is kept", async (why, exitCode, limit) => {
    const w = await world();
    const stop = new AbortController();
    let hasBegun = false;
    w.setShell(({ container, say }) => {
      say({ type: "output", output: { stream: "stdout", text: "shown" } });
      container.files.set("made", bytes("1"));
      hasBegun = true;
    });
    const running = w.run("x", { signal: stop.signal });
    await until(() => hasBegun);
    await new Promise((resolve) => setImmediate(resolve));
    if (why === "abort") stop.abort();
    w.timers.advance(why === "abort" ? 400 : 31_500);
    expect(await running).toMatchObject({ stdout: "shown", exitCode, limit, aborted: why === "abort" });
    expect(await w.text("made")).toBe("1");
  });

  test("a shell that ends before its command says why", async () => {
    const w = await world();
    w.setShell((given) => given.exit(9));
    expect(await w.run("x")).toMatchObject({
      exitCode: 126,
      stderr: "vibey: the command's shell in the WebContainer ended before it did: it ended with exit code 9\n",
    });
    w.setShell(({ done }) => done("next"));
    expect((await w.run("y")).stdout).toBe("next");
  });
});

describe("the WebContainer", () => {
  test("that can't be had is told, and nothing is run; it is asked for again with the next command", async () => {
    const w = await world();
    w.container.answer = ({ type }) => (type === "boot" ? "the page is not isolated" : undefined);
    expect(await w.sandbox.run("x", w.options())).toEqual({ unavailable: "the page is not isolated" });
    expect(w.sandbox.view()).toEqual({ state: "unavailable", why: "the page is not isolated" });
    expect(w.programs).toEqual([]);
    w.container.answer = () => undefined;
    expect((await w.run("y")).stdout).toBe("ran y\n");
    expect(w.sandbox.view()).toEqual({ state: "running" });
  });

  test("that did not answer holds up no further command for long, and is used when it comes after all", async () => {
    const w = await world();
    w.container.answer = ({ type }) => (type === "boot" ? "slow" : undefined);
    await w.sandbox.run("x", w.options());
    w.container.answer = ({ type }) => (type === "boot" ? null : undefined);
    const second = w.sandbox.run("y", w.options());
    await until(() => w.container.asked.filter((type) => type === "boot").length === 2);
    await new Promise((resolve) => setImmediate(resolve));
    w.timers.advance(250);
    expect(await second).toEqual({ unavailable: "slow" });
    w.container.say({ type: "answered", id: w.container.lastId, answer: { kind: "booted", folder: "/home/project" } });
    w.container.answer = () => undefined;
    await until(() => w.sandbox.view().state === "running");
    expect((await w.run("z")).stdout).toBe("ran z\n");
  });

  test("that is gone takes its processes along; what was found is kept; the next command starts it anew with all files", async () => {
    const w = await world({ a: "1" });
    let hasBegun = false;
    w.setShell(({ container, say }) => {
      say({ type: "output", output: { stream: "stdout", text: "shown" } });
      container.files.set("a", bytes("2"));
      hasBegun = true;
    });
    const running = w.run("x");
    await until(() => hasBegun);
    w.timers.advance(2_000);
    await until(() => w.container.asked.includes("export"));
    await new Promise((resolve) => setImmediate(resolve));
    w.container.say({ type: "gone", why: "the WebContainer ended" });
    const outcome = await running;
    expect(outcome).toMatchObject({ stdout: "shown", exitCode: 126 });
    expect(outcome.stderr).toContain("the WebContainer ended");
    expect(await w.text("a")).toBe("2");
    expect(w.sandbox.view()).toEqual({ state: "resting" });
    w.container.files.clear();
    w.setShell(({ container, done }) => done([...container.files.keys()].join()));
    expect((await w.run("y")).stdout).toBe("a");
  });

  test("gets back what npm had installed, wherever a lock file lies; what fails is said with the first command", async () => {
    const w = await world({ "package-lock.json": "{}", "tools/package-lock.json": "{}", "node_modules/x/package-lock.json": "{}" });
    w.setNpm((process) => {
      if (process.args.includes("tools/")) {
        process.print("npm error: no such package");
        process.exit(1);
      } else process.exit(0);
    });
    const shown: string[] = [];
    const first = await w.run("x", { onOutput: ({ text }) => void shown.push(text) });
    expect(w.programs.filter((line) => line.startsWith("npm"))).toEqual([
      "npm ci --prefer-offline --no-audit --no-fund --prefix ./",
      "npm ci --prefer-offline --no-audit --no-fund --prefix tools/",
    ]);
    expect(shown).toContain("installing packages: npm ci in tools/");
    expect(first.stderr).toContain(
      "vibey: the packages of tools/package-lock.json could not be installed: npm ci ended with exit code 1\nnpm error: no such package",
    );
    expect((await w.run("y")).stderr).toBe("");
  });
});

describe("packages that take long to install", () => {
  async function installing() {
    const w = await world({ "package-lock.json": "{}" });
    const killed: string[] = [];
    w.setNpm((process) => {
      process.onKill = () => {
        killed.push(process.program);
        process.exit(137);
      };
    });
    return { w, killed };
  }

  test("are said in the dialog and in the view, and left out at a stop; the next command runs and is told", async () => {
    const { w, killed } = await installing();
    const [stop, shown]: [AbortController, string[]] = [new AbortController(), []];
    const first = w.run("x", { signal: stop.signal, onOutput: ({ text }) => void shown.push(text) });
    await until(() => w.programs.some((line) => line.startsWith("npm")));
    expect(shown.at(-1)).toBe("installing packages: npm ci in ./");
    expect(w.sandbox.view()).toEqual({ state: "starting", doing: "installing packages: npm ci in ./" });
    stop.abort();
    expect(await first).toMatchObject({ aborted: true });
    await until(() => killed.length === 1);
    expect(await w.run("y")).toMatchObject({
      stdout: "ran y\n",
      stderr:
        "vibey: the packages of package-lock.json could not be installed: it was stopped with the command that wanted them; npm ci installs them\n",
    });
    expect((await w.run("z")).stderr).toBe("");
    expect(w.container.asked.filter((type) => type === "boot")).toHaveLength(1);
  });

  test("go on while a command that waits for its turn wants them", async () => {
    const { w, killed } = await installing();
    let end = (): void => undefined;
    w.setNpm((process) => {
      process.onKill = () => void killed.push("npm");
      end = () => process.exit(0);
    });
    const stop = new AbortController();
    const first = w.run("x", { signal: stop.signal });
    await until(() => w.programs.some((line) => line.startsWith("npm")));
    const queued = w.run("y", { session: "other" });
    stop.abort();
    await first;
    end();
    expect(await queued).toMatchObject({ stdout: "ran y\n", stderr: "" });
    expect(killed).toEqual([]);
  });

  test("are left out when the Stop came before they were begun", async () => {
    const { w } = await installing();
    w.container.answer = ({ type }) => (type === "boot" ? null : undefined);
    const stop = new AbortController();
    const first = w.run("x", { signal: stop.signal });
    await until(() => w.container.asked.includes("boot"));
    stop.abort();
    await first;
    w.container.answer = () => undefined;
    w.container.say({ type: "answered", id: w.container.lastId, answer: { kind: "booted", folder: "/home/project" } });
    await until(() => w.sandbox.view().state === "running");
    expect(w.programs.filter((line) => line.startsWith("npm"))).toEqual([]);
  });

  test("go on while somebody else waits for them, who sees what goes on", async () => {
    const { w, killed } = await installing();
    let end = (): void => undefined;
    w.setNpm((process) => void (end = () => process.exit(0)));
    const stop = new AbortController();
    const shown: string[] = [];
    const first = w.run("x", { signal: stop.signal });
    await until(() => w.programs.some((line) => line.startsWith("npm")));
    const beside = w.sandbox.runInBackground("serve", {
      ...w.options(),
      id: "bg-1",
      commitEveryMs: 2_000,
      commitChanges: async () => undefined,
      onOutput: ({ text }) => void shown.push(text),
    });
    stop.abort();
    expect(await first).toMatchObject({ aborted: true });
    expect(shown).toEqual(["installing packages: npm ci in ./"]);
    end();
    expect(await beside).toMatchObject({ exitCode: 0 });
    expect(killed).toEqual([]);
  });
});

describe("when it is chosen no more", () => {
  async function withBoth() {
    const w = await world({ a: "1" });
    const kept: string[][] = [];
    const shells = new Map<string, FakeShell>();
    w.setShell((given) => void shells.set(given.run.command, given));
    const beside = w.sandbox.runInBackground("serve", {
      ...w.options(),
      id: "bg-1",
      timeoutMs: 600_000,
      commitEveryMs: 2_000,
      commitChanges: async (changes) => void kept.push(listed(changes)),
    });
    await until(() => shells.has("serve"));
    w.container.say({ type: "port", port: 5173, url: "https://x", open: true });
    const front = w.run("front");
    await until(() => shells.has("front") && w.sandbox.servers().length === 1);
    const serve = shells.get("serve");
    if (serve)
      serve.onAbort = () => {
        w.container.files.set("last", bytes("word"));
        serve.say({ type: "done", stdout: "bye", stderr: "", exitCode: 130, limit: null, aborted: true, folder: "/", env: {} });
      };
    return { w, kept, beside, front, shells };
  }

  test("the command that runs ends by itself; then the others are stopped, what they changed is stored, and it is taken down; it starts anew when it is chosen again", async () => {
    const { w, kept, beside, front, shells } = await withBoth();
    const queued = w.sandbox.run("queued", w.options());
    w.sandbox.choose(false);
    expect(
      await w.sandbox.runInBackground("more", { ...w.options(), id: "bg-2", commitEveryMs: 1, commitChanges: async () => undefined }),
    ).toEqual({ unavailable: "the built-in shell was selected" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(w.container.asked).not.toContain("end");
    shells.get("front")?.done("in front");
    expect((await front).stdout).toBe("in front");
    expect(await queued).toEqual({ unavailable: "the built-in shell was selected" });
    const stopped = await beside;
    expect(stopped).toMatchObject({ stdout: "bye", aborted: true });
    expect(stopped).toHaveProperty("stderr", expect.stringContaining("the built-in shell was selected, which ends WebContainer"));
    expect(kept).toEqual([["last word"]]);
    await until(() => w.sandbox.view().state === "resting");
    expect(w.sandbox.servers()).toEqual([]);
    // The WebContainer prepared for the next command is gone, too.
    expect(w.container.asked.filter((type) => type === "boot" || type === "end")).toEqual(["boot", "end"]);

    w.sandbox.choose(true);
    w.setShell(({ container, done }) => done([...container.files.keys()].join()));
    expect((await w.run("again")).stdout).toBe("a");
    expect(w.container.asked.filter((type) => type === "boot" || type === "end")).toEqual(["boot", "end", "boot"]);
    expect(w.connections()).toBe(1);
  });

  test("chosen again before that, everything goes on", async () => {
    const { w, front, beside, shells } = await withBoth();
    w.sandbox.choose(false);
    w.sandbox.choose(true);
    shells.get("front")?.done();
    await front;
    await new Promise((resolve) => setImmediate(resolve));
    expect(w.container.asked).not.toContain("end");
    expect(w.sandbox.view()).toEqual({ state: "running" });
    shells.get("serve")?.done("bye");
    expect(await beside).toMatchObject({ stdout: "bye", aborted: false });
  });

  test("chosen again while it is being ended, the next command has another one", async () => {
    const { w, front, beside, shells } = await withBoth();
    w.container.answer = ({ type }) => (type === "end" ? null : undefined);
    w.sandbox.choose(false);
    shells.get("front")?.done();
    await Promise.all([front, beside]);
    await until(() => w.container.asked.includes("end"));
    const { lastId } = w.container;
    w.sandbox.choose(true);
    w.sandbox.start();
    w.setShell(({ done }) => done("again"));
    const again = w.run("again");
    const more = w.sandbox.runInBackground("more", { ...w.options(), id: "bg-2", commitEveryMs: 1, commitChanges: async () => undefined });
    await new Promise((resolve) => setImmediate(resolve));
    expect(w.container.asked.filter((type) => type === "boot")).toHaveLength(1);
    w.container.say({ type: "answered", id: lastId, answer: { kind: "done" } });
    expect((await again).stdout).toBe("again");
    expect(await more).toMatchObject({ stdout: "again" });
    expect(w.container.asked.filter((type) => type === "boot")).toHaveLength(2);
  });

  test("while it is made ready, whoever waits for it is told at once, and the page gives it up", async () => {
    const w = await world();
    w.container.answer = ({ type }) => (type === "boot" ? null : undefined);
    const first = w.sandbox.run("x", w.options());
    await until(() => w.container.asked.includes("boot"));
    w.sandbox.choose(false);
    expect(await first).toEqual({ unavailable: "the built-in shell was selected" });
    await until(() => w.sandbox.view().state === "resting");
    expect(w.container.asked).toEqual(["boot", "end"]);
    // A boot that completes late is ignored; the next command boots again.
    w.container.say({ type: "answered", id: 1, answer: { kind: "booted", folder: "/home/project" } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(w.sandbox.view().state).toBe("resting");
    w.container.answer = () => undefined;
    w.sandbox.choose(true);
    expect((await w.run("y")).stdout).toBe("ran y\n");
    expect(w.container.asked.slice(0, 3)).toEqual(["boot", "end", "boot"]);
  });

  test("while its script is loaded, that is no more waited for", async () => {
    const w = await world();
    w.setLoad(() => new Promise(() => undefined));
    const first = w.sandbox.run("x", w.options());
    await until(() => w.container.asked.includes("boot"));
    w.sandbox.choose(false);
    expect(await first).toHaveProperty("unavailable");
    await until(() => w.sandbox.view().state === "resting");
    w.setLoad(async () => bytes("the script"));
    w.sandbox.choose(true);
    expect((await w.run("y")).stdout).toBe("ran y\n");
  });

  test("what the last look could not find out is found before the end, and stored", async () => {
    const w = await world({ a: "1" });
    let failures = 1;
    w.container.answer = ({ type }) =>
      type === "export" && w.container.files.get("a")?.length === 5 && failures-- > 0 ? "a file went away" : undefined;
    w.setShell(({ container, done }) => {
      container.files.set("a", bytes("agent"));
      done();
    });
    expect((await w.run("x")).stderr).toContain("could not be found out: a file went away");
    w.sandbox.choose(false);
    await until(() => w.sandbox.view().state === "resting");
    expect(w.late).toEqual([["a agent"]]);
    expect(w.lateOf).toEqual(["d"]);
  });

  test("it is of no session where commands of several have run", async () => {
    const w = await world({ a: "1" });
    await w.run("x", { session: "other" });
    let failures = 1;
    w.container.answer = ({ type }) =>
      type === "export" && w.container.files.get("a")?.length === 5 && failures-- > 0 ? "a file went away" : undefined;
    w.setShell(({ container, done }) => {
      container.files.set("a", bytes("agent"));
      done();
    });
    await w.run("x");
    w.sandbox.choose(false);
    await until(() => w.sandbox.view().state === "resting");
    expect([w.late, w.lateOf]).toEqual([[["a agent"]], [null]]);
  });

  test("what could not be found out even then is told with the next command in one", async () => {
    const w = await world({ a: "1" });
    await w.run("x");
    w.container.answer = ({ type }) => (type === "export" ? "broken" : undefined);
    w.sandbox.choose(false);
    await until(() => w.sandbox.view().state === "resting");
    w.container.answer = () => undefined;
    w.sandbox.choose(true);
    expect((await w.run("y")).stderr).toBe(
      "vibey: in the WebContainer before this one: what was changed in the last seconds could not be found out: broken\n",
    );
  });
});

describe("when it fails at a bad moment", () => {
  test("it goes while packages are installed: the next command starts it anew", async () => {
    const w = await world({ "package-lock.json": "{}" });
    w.setNpm((process) => {
      w.container.say({ type: "gone", why: "it crashed" });
      process.onKill = () => undefined;
    });
    expect(await w.sandbox.run("x", w.options())).toEqual({ unavailable: "it ended while it was made ready" });
    w.setNpm((process) => process.exit(0));
    expect((await w.run("y")).stdout).toBe("ran y\n");
  });

  test("an answer that never comes: Stop ends the wait at once, and in the end the WebContainer counts as gone", async () => {
    const w = await world({ a: "1" });
    await w.run("x");
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? null : undefined);
    const stop = new AbortController();
    const first = w.sandbox.run("y", w.options({ signal: stop.signal }));
    await until(() => w.container.asked.at(-1) === "put");
    stop.abort();
    expect(await first).toMatchObject({ aborted: true });
    const second = w.sandbox.run("z", w.options());
    await new Promise((resolve) => setImmediate(resolve));
    for (let part = 0; part < 9; part += 1) w.timers.advance(10_000);
    expect(await second).toHaveProperty("unavailable");
    w.container.answer = () => undefined;
    expect((await w.run("again")).stdout).toBe("ran again\n");
  });

  test("a machine that was asleep while it was asked does not count that as silence", async () => {
    const w = await world({ a: "1" });
    await w.run("x");
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? null : undefined);
    const next = w.run("y");
    await until(() => w.container.asked.at(-1) === "put");
    w.timers.advance(3_600_000);
    w.container.say({ type: "answered", id: w.container.lastId, answer: { kind: "done" } });
    expect((await next).stdout).toBe("ran y\n");
  });

  test("the script does not come: that is a reason within half a minute", async () => {
    const w = await world();
    w.setLoad(() => new Promise(() => undefined));
    const first = w.sandbox.run("x", w.options());
    await until(() => w.container.asked.includes("boot"));
    await new Promise((resolve) => setImmediate(resolve));
    w.timers.advance(30_000);
    expect(await first).toEqual({ unavailable: "the shell's script did not come within 30 s" });
  });

  test("one that counts as gone is taken down, should it live all the same", async () => {
    const w = await world({ a: "1" });
    await w.run("x");
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? null : undefined);
    const second = w.sandbox.run("y", w.options());
    await until(() => w.container.asked.at(-1) === "put");
    for (let part = 0; part < 9; part += 1) w.timers.advance(10_000);
    await second;
    expect(w.container.asked.at(-1)).toBe("end");
  });

  test("files can't be brought in, for a while: what runs in the background goes on, and nothing is stored twice or written over", async () => {
    const w = await world({ a: "1" });
    const [kept, shells]: [string[][], FakeShell[]] = [[], []];
    w.setShell((given) => (given.run.command === "serve" ? void shells.push(given) : given.done("ran")));
    const beside = w.sandbox.runInBackground("serve", {
      ...w.options(),
      id: "bg-1",
      timeoutMs: 600_000,
      commitEveryMs: 2_000,
      commitChanges: async (changes) => void kept.push(listed(changes)),
    });
    await until(() => shells.length === 1);
    await w.write("a", "22");
    w.container.answer = (message) => {
      if (message.type !== "put") return undefined;
      for (const { path: name, bytes: given } of message.files) w.container.files.set(name, given.slice(0, 1));
      return "no room";
    };
    expect(await w.sandbox.run("x", w.options())).toEqual({ unavailable: "couldn't load the project files: no room" });
    expect(w.sandbox.view()).toEqual({ state: "unavailable", why: "couldn't load the project files: no room" });
    w.container.files.set("built", bytes("by the server"));
    w.container.answer = () => undefined;
    const next = await w.run("y");
    // The change was found before this command began, and is stored with it.
    expect([next.stdout, listed(next.changes)]).toEqual(["ran", ["built by the server"]]);
    expect(w.sandbox.view()).toEqual({ state: "running" });
    expect(new TextDecoder().decode(w.container.files.get("a"))).toBe("22");
    shells[0]?.done("bye");
    expect(await beside).toMatchObject({ stdout: "bye", exitCode: 0, stderr: "" });
    expect(kept).toEqual([]);
    expect(w.container.asked.filter((type) => type === "boot")).toHaveLength(1);
  });

  test("it crashes while something in the background is stored: the empty one after it is not taken for a project without files", async () => {
    const w = await world({ a: "1", b: "2" });
    const [kept, shells]: [string[][], FakeShell[]] = [[], []];
    let stored = (): void => undefined;
    w.setShell((given) => (given.run.command === "serve" ? void shells.push(given) : given.done()));
    const beside = w.sandbox.runInBackground("serve", {
      ...w.options(),
      id: "bg-1",
      timeoutMs: 600_000,
      commitEveryMs: 2_000,
      async commitChanges(changes) {
        kept.push(listed(changes));
        await new Promise<void>((resolve) => (stored = resolve));
      },
    });
    await until(() => shells.length === 1);
    w.container.files.set("built", bytes("1"));
    w.timers.advance(2_000);
    await until(() => kept.length === 1);
    w.container.say({ type: "gone", why: "it crashed" });
    await new Promise((resolve) => setImmediate(resolve));
    w.container.files.clear();
    w.container.answer = (message) =>
      message.type === "put" && !message.files.some((file) => file.path.startsWith(".vibey-shell/")) ? "no room" : undefined;
    w.sandbox.start();
    await new Promise((resolve) => setImmediate(resolve));
    stored();
    expect(await beside).toHaveProperty("stderr", expect.stringContaining("could not be found out: it crashed"));
    await until(() => w.sandbox.view().state === "unavailable");
    expect([kept, w.late]).toEqual([[["built 1"]], []]);
  });

  test("a last look that failed is made up for before anything is brought in", async () => {
    const w = await world({ a: "1" });
    w.setShell(({ container, done }) => {
      container.files.set("a", bytes("by the agent"));
      container.answer = ({ type }) => (type === "export" ? "a file went away" : undefined);
      done();
    });
    await w.run("x");
    w.container.answer = () => undefined;
    await w.write("a", "by the human");
    w.setShell(({ done }) => done());
    expect(listed((await w.run("y")).changes)).toEqual(["a by the agent"]);
  });

  test("what was found for a command that was stopped meanwhile is stored", async () => {
    const w = await world({ a: "1" });
    await w.run("x");
    w.container.say({ type: "port", port: 1, url: "https://x", open: true });
    await until(() => w.sandbox.servers().length === 1);
    w.container.files.set("built", bytes("1"));
    w.container.answer = ({ type }) => (type === "export" ? null : undefined);
    const stop = new AbortController();
    const before = w.container.asked.length;
    const front = w.sandbox.run("y", w.options({ signal: stop.signal }));
    await until(() => w.container.asked.slice(before).includes("export"));
    stop.abort();
    expect(await front).toMatchObject({ aborted: true });
    w.container.answer = () => undefined;
    w.container.say({ type: "answered", id: w.container.lastId, answer: { kind: "snapshot", bytes: snapshotOf(w.container.files) } });
    await until(() => w.late.length === 1);
    expect(w.late).toEqual([["built 1"]]);
  });

  test("files could not be brought in: it is tried again where the human asks for that", async () => {
    const w = await world();
    await w.run("x");
    await w.write("a", "1");
    w.container.answer = ({ type }) => (type === "put" ? "no room" : undefined);
    expect(await w.sandbox.run("y", w.options())).toHaveProperty("unavailable");
    w.container.answer = () => undefined;
    w.sandbox.start();
    await until(() => w.sandbox.view().state === "running");
    expect(w.container.files.has("a")).toBe(true);
  });

  test("files can't be brought in: what was found before is stored with the command that heard of it", async () => {
    const w = await world({ a: "1" });
    await w.run("x");
    w.container.say({ type: "port", port: 1, url: "https://x", open: true });
    await until(() => w.sandbox.servers().length === 1);
    w.container.files.set("built", bytes("by a server"));
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? "no room" : undefined);
    expect(await w.run("y")).toMatchObject({ exitCode: 126, stderr: "vibey: couldn't load the project files: no room\n" });
    expect(await w.text("built")).toBe("by a server");
  });
});

describe("a command in the background", () => {
  const beside = (
    w: Awaited<ReturnType<typeof world>>,
    kept: string[][],
    given: Partial<Parameters<typeof w.sandbox.runInBackground>[1]> = {},
  ) =>
    w.sandbox.runInBackground("serve", {
      id: "bg-1",
      session: "d",
      timeoutMs: 600_000,
      maxBytes: 1_000,
      signal: new AbortController().signal,
      commitEveryMs: 2_000,
      commitChanges: async (changes) => void kept.push(listed(changes)),
      ...given,
    });

  test("runs beside others; what it changes is stored every few seconds and at its end", async () => {
    const w = await world();
    const kept: string[][] = [];
    const shells: FakeShell[] = [];
    w.setShell((given) => (given.run.command === "serve" ? void shells.push(given) : given.done("done")));
    const running = beside(w, kept);
    await until(() => shells.length === 1);
    expect((await w.run("x")).stdout).toBe("done");
    w.container.files.set("built", bytes("1"));
    w.timers.advance(2_000);
    await until(() => kept.length === 1);
    w.container.files.set("built", bytes("2"));
    shells[0]?.done("bye");
    expect(await running).toMatchObject({ stdout: "bye", exitCode: 0 });
    expect(kept).toEqual([["built 1"], ["built 2"]]);
  });

  test("does not take from others what they have written: it is found before a second one is given the store's files", async () => {
    const w = await world({ f: "1" });
    const [kept, shells]: [string[][], FakeShell[]] = [[], []];
    w.setShell((given) => void shells.push(given));
    const first = beside(w, kept);
    await until(() => shells.length === 1);
    w.container.files.set("f", bytes("by the first"));
    await w.write("f", "by the human");
    const second = beside(w, kept, { id: "bg-2" });
    await until(() => shells.length === 2);
    for (const shell of shells) shell.done();
    await Promise.all([first, second]);
    expect(kept.flat()).toContain("f by the first");
  });

  test("sees what is written while it runs", async () => {
    const w = await world({ f: "1" });
    const shells: FakeShell[] = [];
    w.setShell((given) => void shells.push(given));
    const running = beside(w, []);
    await until(() => shells.length === 1);
    await w.write("f", "2");
    w.timers.advance(2_000);
    await until(() => new TextDecoder().decode(w.container.files.get("f")) === "2");
    shells[0]?.done();
    await running;
    // And when the command has ended, nothing looks at the files anymore.
    const asked = w.container.asked.length;
    w.timers.advance(600_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(w.container.asked.length).toBe(asked);
  });

  test("what a command in the foreground changes is stored with it, but for what is there when one in the background ends", async () => {
    const w = await world();
    const [kept, shells]: [string[][], FakeShell[]] = [[], []];
    w.setShell((given) => void shells.push(given));
    const running = beside(w, kept);
    await until(() => shells.length === 1);
    const front = w.run("x");
    await until(() => shells.length === 2);
    w.container.files.set("made", bytes("in front"));
    shells[0]?.done();
    await running;
    expect(kept).toEqual([["made in front"]]);
    w.container.files.set("later", bytes("in front"));
    shells[1]?.done();
    expect(listed((await front).changes)).toEqual(["later in front"]);
    expect(kept).toHaveLength(1);
  });

  test("its server is known by its port and whose it is, and is gone with it", async () => {
    const w = await world();
    const shells: FakeShell[] = [];
    w.setShell((given) => void shells.push(given));
    const running = beside(w, []);
    await until(() => shells.length === 1);
    w.container.say({ type: "port", port: 5173, url: "https://x", open: true });
    await until(() => w.sandbox.servers().length === 1);
    expect(w.sandbox.servers()).toEqual([
      { port: 5173, url: "https://x", owner: { dialogId: "d", background: "bg-1", command: "serve" }, since: null },
    ]);
    shells[0]?.done();
    await running;
    expect(w.sandbox.servers()).toEqual([]);
  });

  test("a server that opens while another command runs in front is its own once that has ended, and not before", async () => {
    const w = await world();
    const shells = new Map<string, FakeShell>();
    w.setShell((given) => void shells.set(given.run.command, given));
    const running = beside(w, []);
    await until(() => shells.has("serve"));
    const front = w.run("front");
    await until(() => shells.has("front"));
    w.container.say({ type: "port", port: 5173, url: "https://x", open: true });
    await until(() => w.sandbox.servers().length === 1);
    expect(w.sandbox.servers()).toMatchObject([{ owner: null }]);
    shells.get("front")?.done();
    await front;
    expect(w.sandbox.servers()).toMatchObject([{ owner: { background: "bg-1" } }]);
    shells.get("serve")?.done();
    await running;
    expect(w.sandbox.servers()).toEqual([]);
  });

  test("when the page hides, what it changed is stored at once", async () => {
    const w = await world();
    const kept: string[][] = [];
    const shells: FakeShell[] = [];
    w.setShell((given) => void shells.push(given));
    const running = beside(w, kept);
    await until(() => shells.length === 1);
    w.container.files.set("built", bytes("1"));
    w.container.say({ type: "hidden" });
    await until(() => kept.length === 1);
    shells[0]?.done();
    await running;
  });

  test("when the page hides, what it changed is stored also while a command runs in the foreground", async () => {
    const w = await world();
    const [kept, shells]: [string[][], FakeShell[]] = [[], []];
    w.setShell((given) => void shells.push(given));
    const running = beside(w, kept);
    await until(() => shells.length === 1);
    const front = w.run("front");
    await until(() => shells.length === 2);
    w.container.files.set("built", bytes("1"));
    w.container.say({ type: "hidden" });
    await until(() => kept.length === 1);
    for (const shell of shells) shell.done();
    expect((await front).changes).toEqual([]);
    await running;
    expect(kept).toEqual([["built 1"]]);
  });

  test("ends while files for a command in the foreground are refused: what it changed last is stored", async () => {
    const w = await world({ a: "1" });
    const [kept, shells]: [string[][], FakeShell[]] = [[], []];
    w.setShell((given) => void shells.push(given));
    const running = beside(w, kept);
    await until(() => shells.length === 1);
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? null : undefined);
    const front = w.sandbox.run("x", w.options());
    await until(() => w.container.asked.at(-1) === "put");
    w.container.files.set("built", bytes("last words"));
    shells[0]?.done();
    await new Promise((resolve) => setImmediate(resolve));
    w.container.answer = ({ type }) => (type === "put" ? "no room" : undefined);
    w.container.say({ type: "failed", id: w.container.lastId, why: "no room" });
    expect(await front).toHaveProperty("unavailable");
    await running;
    expect(kept).toEqual([["built last words"]]);
  });

  test("can't begin, since files are refused: what was found before is stored all the same", async () => {
    const w = await world({ a: "1" });
    await w.run("x");
    w.container.files.set("built", bytes("by what was left behind"));
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? "no room" : undefined);
    const kept: string[][] = [];
    expect(await beside(w, kept)).toHaveProperty("unavailable");
    expect(kept).toEqual([["built by what was left behind"]]);
  });

  test("that is stopped while its files are brought in ends at once, and one that was stopped before asks for nothing", async () => {
    const w = await world({ a: "1" });
    expect(await beside(w, [], { signal: AbortSignal.abort() })).toMatchObject({ aborted: true });
    expect(w.container.asked).toEqual([]);
    await w.run("x");
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? null : undefined);
    const stop = new AbortController();
    const running = beside(w, [], { signal: stop.signal });
    await until(() => w.container.asked.at(-1) === "put");
    stop.abort();
    expect(await running).toMatchObject({ aborted: true });
  });

  test("has brought files in that could not be brought in before: the trouble is over", async () => {
    const w = await world({ a: "1" });
    const shells: FakeShell[] = [];
    w.setShell((given) => void shells.push(given));
    const running = beside(w, []);
    await until(() => shells.length === 1);
    await w.write("a", "2");
    w.container.answer = ({ type }) => (type === "put" ? "no room" : undefined);
    expect(await w.sandbox.run("x", w.options())).toHaveProperty("unavailable");
    w.container.answer = () => undefined;
    w.timers.advance(2_000);
    await until(() => w.sandbox.view().state === "running");
    shells[0]?.done();
    await running;
  });
});
