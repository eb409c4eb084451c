import { describe, expect, test } from "vitest";
import type { NodeEngine, SandboxName } from "../../src/protocol/index.ts";
import { openSandboxSelector } from "../../src/shell/sandbox-selector.ts";
import type { BackgroundOptions, EmbeddedSandbox, RunOptions, RunOutcome } from "../../src/shell/sandbox.ts";
import type { Unavailable } from "../../src/shell/webcontainer/keeper.ts";
import type { WebContainerSandbox } from "../../src/shell/webcontainer/webcontainer.ts";

const outcome = (stdout: string): RunOutcome => ({ stdout, stderr: "", exitCode: 0, limit: null, aborted: false, ms: 1, changes: [] });

async function world(chosen: SandboxName = "webcontainer") {
  const kept: SandboxName[] = [];
  let why: string | null = null;
  let away: string | null = null;
  const told: string[] = [];
  const committing = async (name: string, options: RunOptions): Promise<RunOutcome> => {
    const done = outcome(name);
    await options.commit?.(done);
    return done;
  };
  const embedded: EmbeddedSandbox = {
    run: (_, options) => committing("embedded", options),
    runInBackground: async () => outcome("embedded beside"),
    simpleCommands: async (command) => [["read by the shell", command]],
    dispose: () => undefined,
  };
  const webcontainer: WebContainerSandbox = {
    async run(_, options): Promise<RunOutcome | Unavailable> {
      const unavailable = away ?? why;
      return unavailable === null ? committing("webcontainer", options) : { unavailable };
    },
    runInBackground: async (): Promise<RunOutcome | Unavailable> => (why === null ? outcome("webcontainer beside") : { unavailable: why }),
    start: () => void told.push("start"),
    choose(isChosen) {
      told.push(isChosen ? "chosen" : "not chosen");
      away = isChosen ? null : "another was chosen";
    },
    view: () => (why === null ? { state: "running" } : { state: "unavailable", why }),
    servers: () => [],
    storeLateBy: () => void told.push("store late"),
    dispose: () => undefined,
  };
  let loadFails = false;
  let node: NodeEngine = "quickjs";
  const made = await openSandboxSelector({
    embedded,
    aboutEmbedded: { quickjs: "small", browser: "small and fast" },
    choice: { read: async () => chosen, write: async (name) => void kept.push(name) },
    node: {
      current: () => node,
      choose: async (engine) => void (node = engine),
    },
    async loadWebContainer() {
      if (loadFails) throw new Error("offline");
      return { sandbox: webcontainer, about: "big" };
    },
  });
  made.selector.listen(() => told.push("changed"));
  const committed: RunOutcome[] = [];
  const options = (session: string): RunOptions => ({
    session,
    timeoutMs: 1,
    maxBytes: 1,
    signal: new AbortController().signal,
    commit: async (done) => void committed.push(done),
  });
  return {
    ...made,
    kept,
    told,
    run: (session = "d") => made.sandbox.run("x", options(session)),
    /** The last command's stored changes. */
    stored: () => committed.at(-1),
    setUnavailable: (next: string | null) => (why = next),
    setLoadFails: (next: boolean) => (loadFails = next),
  };
}

describe("where a command runs", () => {
  test("in Vibey's own shell, when that is chosen; nothing else is loaded", async () => {
    const w = await world("embedded");
    w.setLoadFails(true);
    expect((await w.run()).stdout).toBe("embedded");
    expect(await w.about()).toBe("small");
    expect(w.selector.view()).toEqual({ chosen: "embedded", node: "quickjs", computer: { state: "off" }, servers: [] });
  });

  test("the choice of what runs node is passed on, and told", async () => {
    const w = await world("embedded");
    await w.selector.chooseNode("browser");
    expect(w.selector.view().node).toBe("browser");
    expect(await w.about()).toBe("small and fast");
    expect(w.told).toContain("changed");
  });

  test("in the WebContainer, when that is chosen", async () => {
    const w = await world();
    expect(await w.run()).toMatchObject({ stdout: "webcontainer", stderr: "" });
    expect(await w.about()).toBe("big");
    expect(w.selector.view().computer).toEqual({ state: "running" });
  });

  test("the choice holds from the next command on, and is kept", async () => {
    const w = await world();
    await w.selector.choose("embedded");
    expect((await w.run()).stdout).toBe("embedded");
    expect(w.kept).toEqual(["embedded"]);
    expect(w.told).toContain("changed");
  });

  test("the WebContainer is told of the choice, also of one that was made while it was being loaded", async () => {
    const w = await world();
    const [first] = await Promise.all([w.run(), w.selector.choose("embedded")]);
    expect(first.stdout).toBe("embedded");
    expect(w.told.findLast((line) => line.endsWith("chosen"))).toBe("not chosen");
    await w.selector.choose("webcontainer");
    expect(w.told.findLast((line) => line.endsWith("chosen"))).toBe("chosen");
  });
});

describe("where the WebContainer can't be had", () => {
  test("a command runs in Vibey's own shell, and its result says so, once in a dialog", async () => {
    const w = await world();
    w.setUnavailable("the page is not isolated");
    await w.run();
    expect(w.stored()).toMatchObject({ stdout: "embedded" });
    expect(w.stored()?.stderr).toMatch(/^vibey: WebContainer isn't available: the page is not isolated\. .*\n$/);
    await w.run();
    expect(w.stored()?.stderr).toBe("");
    await w.run("another");
    expect(w.stored()?.stderr).toContain("not isolated");
    expect(await w.about()).toBe("small");
  });

  test("it is said when it is over", async () => {
    const w = await world();
    await w.about();
    w.setUnavailable("slow");
    await w.run();
    w.setUnavailable(null);
    await w.run();
    expect(w.stored()).toMatchObject({ stdout: "webcontainer", stderr: "vibey: this ran in the WebContainer again, in its own folder\n" });
    await w.run();
    expect(w.stored()?.stderr).toBe("");
  });

  test("its part of Vibey can't be loaded: that is a reason, too, and it is tried again", async () => {
    const w = await world();
    w.setLoadFails(true);
    expect(await w.about()).toBe("small");
    await w.run();
    expect(w.stored()?.stderr).toContain("offline");
    w.setLoadFails(false);
    expect((await w.run()).stdout).toBe("webcontainer");
  });

  test("a command in the background runs there, too, and shows why", async () => {
    const w = await world();
    w.setUnavailable("slow");
    const shown: string[] = [];
    const options: BackgroundOptions = {
      id: "bg-1",
      session: "d",
      timeoutMs: 1,
      maxBytes: 1,
      signal: new AbortController().signal,
      commitEveryMs: 1,
      commitChanges: async () => undefined,
      onOutput: ({ text }) => void shown.push(text),
    };
    expect((await w.sandbox.runInBackground?.("x", options))?.stdout).toBe("embedded beside");
    expect(shown[0]).toBe("");
    expect(shown.join("")).toContain("slow");
  });
});

test("Vibey's own shell reads commands by its parser; of a WebContainer's only plain words are sure", async () => {
  expect(await (await world("embedded")).sandbox.simpleCommands?.("npm test; 'x'")).toEqual([["read by the shell", "npm test; 'x'"]]);
  const { sandbox, selector } = await world();
  const read = async (command: string) => (await sandbox.simpleCommands?.(command)) ?? null;
  expect(await read("npm test -- --run=a b/c.ts")).toEqual([["npm", "test", "--", "--run=a", "b/c.ts"]]);
  const unsure = [
    "npm test && npm test",
    "npm  test",
    " npm test",
    "npm test ",
    "npm 'test'",
    "npm test;",
    "npm $x",
    "npm test\n",
    "A=1 npm",
    "sh x",
    "-x",
    "",
  ];
  expect(await Promise.all(unsure.map(read))).toEqual(unsure.map(() => null));
  await selector.choose("embedded");
  expect(await read("npm 'test'")).toEqual([["read by the shell", "npm 'test'"]]);
});
