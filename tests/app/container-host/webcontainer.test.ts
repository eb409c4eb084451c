import { describe, expect, test, vi } from "vitest";
import { soon } from "../../soon.ts";
import type { FromWebContainer, ToWebContainer } from "../../../src/shell/webcontainer/page-messages.ts";
import { createBooter } from "../../../src/app/container-host/boot.ts";
import { createWebContainer } from "../../../src/app/container-host/webcontainer.ts";
import { pulse } from "../../../src/app/container-host/pulse.ts";
import { fakeContainer } from "./fake-container.ts";

/** A WebContainer made of fakes; `boots` counts the boots of the client. */
function open() {
  const fakes: ReturnType<typeof fakeContainer>[] = [];
  const said: FromWebContainer[] = [];
  const moved: Transferable[] = [];
  const booter = createBooter({
    boot: () => {
      const fake = fakeContainer();
      fakes.push(fake);
      return Promise.resolve(fake.container);
    },
    isolated: () => true,
    online: () => true,
    frame: { state: () => "none", reload: () => undefined },
  });
  let later: (() => void) | null = null;
  const host = createWebContainer({
    booter,
    throttle: (then) => void (later = then),
    previewScript: "script",
    post: (message, transfer = []) => {
      said.push(message);
      moved.push(...transfer);
    },
  });
  let last = 0;
  /** Sends a request and returns the answer. */
  async function ask(question: ToWebContainer extends infer All ? (All extends { readonly id: number } ? Omit<All, "id"> : never) : never) {
    const id = ++last;
    host.hear({ ...question, id });
    await soon(() => expect(said.some((message) => "id" in message && message.id === id)).toBe(true));
    return said.find((message) => "id" in message && message.id === id);
  }
  const of = (type: FromWebContainer["type"]) => said.filter((message) => message.type === type);
  return {
    host,
    booter,
    said,
    moved,
    of,
    ask,
    fakes,
    /** Runs what was scheduled for later. */
    moment: () => later?.(),
    booted: async () => {
      await ask({ type: "boot" });
      const [fake] = fakes;
      if (!fake) throw new Error("no container was booted");
      return fake;
    },
  };
}

const file = (path: string, text: string) => ({ path, bytes: new TextEncoder().encode(text) });

describe("questions", () => {
  test("boot tells the folder, also when it runs already, and puts the script into pages", async () => {
    const { ask, fakes } = open();
    const answer = { kind: "booted", folder: "/home/project" };
    expect(await ask({ type: "boot" })).toMatchObject({ type: "answered", answer });
    expect(await ask({ type: "boot" })).toMatchObject({ type: "answered", answer });
    expect(fakes).toHaveLength(1);
    expect(fakes[0]?.state.script).toBe("script");
  });

  test("before it runs all fail", async () => {
    const { ask } = open();
    expect(await ask({ type: "put", files: [file("a", "a")] })).toMatchObject({ type: "failed", why: "WebContainer isn't running." });
    expect(await ask({ type: "remove", paths: ["a"] })).toMatchObject({ type: "failed" });
    expect(await ask({ type: "export", format: "json", excludes: [] })).toMatchObject({ type: "failed" });
  });

  test("files are put in pieces, large ones alone, and every byte of them", async () => {
    const { ask, booted } = open();
    const { calls, files } = await booted();
    const small = Array.from({ length: 450 }, (_, at) => file(`many/${at}.txt`, `text ${at} é`));
    const wide = Array.from({ length: 5 }, (_, at) => file(`wide/${at}`, "w".repeat(60_000)));
    const large = [file("deep/er/large.bin", "l".repeat(70_000)), file("top.bin", "t".repeat(200_000))];
    const odd = [file("__proto__", "p"), file("a/constructor", "c")];
    expect(await ask({ type: "put", files: [...small, ...large, ...wide, ...odd] })).toMatchObject({ answer: { kind: "done" } });
    for (const { path, bytes } of [...small, ...wide, ...large, ...odd]) expect(files.get(path)).toBe(new TextDecoder().decode(bytes));
    expect(files.size).toBe(459);
    // 450 small files make 3 pieces of at most 200; of the files of 60,000 bytes, two fit into one piece.
    expect(calls.filter((call) => call === "mount")).toHaveLength(5);
    expect(calls.filter((call) => call !== "mount")).toEqual(["mkdir deep/er", "write deep/er/large.bin", "write top.bin"]);
  });

  test.each(["../a", "/a", "a//b", "a/./b", ""])("a path that leads elsewhere is refused: %j", async (path) => {
    const { ask, booted } = open();
    const { calls } = await booted();
    expect(await ask({ type: "put", files: [file(path, "a")] })).toMatchObject({ type: "failed" });
    expect(await ask({ type: "remove", paths: [path] })).toMatchObject({ type: "failed" });
    expect(calls).toEqual([]);
  });

  test("files and folders are removed, however many", async () => {
    const { ask, booted } = open();
    const { calls } = await booted();
    const paths = Array.from({ length: 100 }, (_, at) => `f${at}`);
    expect(await ask({ type: "remove", paths })).toMatchObject({ answer: { kind: "done" } });
    expect(calls.toSorted()).toEqual(paths.map((path) => `rm ${path}`).toSorted());
  });

  test("an export leaves packages out, and a snapshot is handed over, not copied", async () => {
    const { ask, booted, moved } = open();
    const { calls, state } = await booted();
    expect(await ask({ type: "export", format: "binary", excludes: ["dist"] })).toMatchObject({
      answer: { kind: "snapshot", bytes: state.snapshot },
    });
    expect(moved).toEqual([state.snapshot.buffer]);
    expect(await ask({ type: "export", format: "json", excludes: [] })).toMatchObject({
      answer: { kind: "tree", tree: { "a.txt": { file: { contents: "a" } } } },
    });
    expect(calls).toEqual(["export . binary node_modules **/node_modules dist", "export . json node_modules **/node_modules"]);
  });

  test("what the client refuses is a failure in its words", async () => {
    const { ask, booted } = open();
    const { state } = await booted();
    state.failing = new Error("ENOSPC: no space");
    expect(await ask({ type: "put", files: [file("a", "a")] })).toMatchObject({ type: "failed", why: "ENOSPC: no space" });
    expect(await ask({ type: "remove", paths: ["a"] })).toMatchObject({ type: "failed", why: "ENOSPC: no space" });
  });
});

describe("processes", () => {
  const start = { type: "start", process: 7, program: "node", args: ["a.mjs", "b"] } as const;

  test("output is gathered for a moment, in order, and the exit comes after all of it", async () => {
    const { host, booted, of, said, moment } = open();
    const { processes } = await booted();
    host.hear(start);
    await soon(() => expect(processes).toHaveLength(1));
    const [process] = processes;
    expect([process?.program, process?.args]).toEqual(["node", ["a.mjs", "b"]]);
    process?.print("one ");
    process?.print("two ");
    await new Promise((resolve) => setTimeout(resolve));
    expect(of("output")).toEqual([]);
    moment();
    process?.print("three");
    process?.end(3);
    process?.print(" four");
    process?.closeOutput();
    await soon(() => expect(of("exit")).toHaveLength(1));
    expect(said.slice(1)).toEqual([
      { type: "output", process: 7, text: "one two " },
      { type: "output", process: 7, text: "three four" },
      { type: "exit", process: 7, code: 3, why: "" },
    ]);
    host.hear({ type: "input", process: 7, text: "late" });
    host.hear({ type: "kill", process: 7 });
    expect(process?.heard).toEqual([]);
  });

  test("one that left something behind which holds its output ends all the same", async () => {
    const { host, booted, of } = open();
    const { processes } = await booted();
    host.hear(start);
    await soon(() => expect(processes).toHaveLength(1));
    processes[0]?.print("begun");
    processes[0]?.end(0);
    await soon(() => expect(of("exit")).toEqual([{ type: "exit", process: 7, code: 0, why: "" }]));
    expect(of("output")).toEqual([{ type: "output", process: 7, text: "begun" }]);
  });

  test("input and kill reach it, also those that came before it had started", async () => {
    const { host, booted } = open();
    const { processes } = await booted();
    host.hear(start);
    host.hear({ type: "input", process: 7, text: "early" });
    await soon(() => expect(processes[0]?.heard).toEqual(["early"]));
    host.hear({ type: "input", process: 7, text: "then" });
    host.hear({ type: "kill", process: 7 });
    await soon(() => expect(processes[0]?.heard.toSorted()).toEqual(["early", "killed", "then"]));

    host.hear({ ...start, process: 8 });
    host.hear({ type: "kill", process: 8 });
    await soon(() => expect(processes[1]?.heard).toEqual(["killed"]));
  });

  test("one that can't be started exits once, without a code", async () => {
    const { host, booted, of } = open();
    host.hear({ ...start, process: 1 });
    const { state } = await booted();
    state.failing = new Error("ENOENT: nope");
    host.hear(start);
    await soon(() => expect(of("exit")).toHaveLength(2));
    expect(of("exit")).toEqual([
      { type: "exit", process: 1, code: null, why: "WebContainer isn't running." },
      { type: "exit", process: 7, code: null, why: "Couldn't run the program: ENOENT: nope" },
    ]);
  });
});

describe("news", () => {
  test("a server is told of once as it opens, and when it closes", async () => {
    const { booted, of } = open();
    const { emit } = await booted();
    emit("port", 5173, "open", "https://a.example");
    emit("server-ready", 5173, "https://a.example");
    emit("port", 5173, "close", "https://a.example");
    emit("server-ready", 5173, "https://b.example");
    expect(of("port")).toEqual([
      { type: "port", port: 5173, url: "https://a.example", open: true },
      { type: "port", port: 5173, url: "https://a.example", open: false },
      { type: "port", port: 5173, url: "https://b.example", open: true },
    ]);
  });

  test("out of sight it says so, after what was printed", async () => {
    const { host, booted, said } = open();
    const { processes } = await booted();
    host.hear({ type: "start", process: 7, program: "node", args: [] });
    await soon(() => expect(processes).toHaveLength(1));
    processes[0]?.print("last");
    await new Promise((resolve) => setTimeout(resolve));
    host.hidden();
    expect(said.slice(1)).toEqual([{ type: "output", process: 7, text: "last" }, { type: "hidden" }]);
  });

  test("a container that fails is gone with its processes, and another one can be booted", async () => {
    const { host, booted, said, ask, fakes } = open();
    const { processes, emit, state, listening } = await booted();
    host.hear({ type: "start", process: 7, program: "node", args: [] });
    await soon(() => expect(processes).toHaveLength(1));
    emit("error", { message: "out of memory" });
    const why = "WebContainer failed: out of memory";
    expect(said.slice(1)).toEqual([
      { type: "exit", process: 7, code: null, why },
      { type: "gone", why },
    ]);
    expect([state.tornDown, listening()]).toEqual([1, 0]);
    // Anything it reports after that is ignored.
    processes[0]?.end(0);
    emit("error", { message: "again" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(said).toHaveLength(3);
    expect(await ask({ type: "boot" })).toMatchObject({ type: "answered" });
    expect(fakes).toHaveLength(2);
  });

  test("nobody waits for what was asked of a container before it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { host, booted, ask, of, fakes } = open();
      const { container } = await booted();
      container.export = () => new Promise(() => undefined);
      host.hear({ type: "export", id: 1_000, format: "binary", excludes: [] });
      await ask({ type: "end" });
      await ask({ type: "boot" });
      const [, second] = fakes;
      if (second) second.state.silent = true;
      await vi.advanceTimersByTimeAsync(10 * pulse.every * pulse.looks);
      expect([fakes.length, of("gone")]).toEqual([2, []]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("one that is silent while somebody waits is gone; while nobody waits it may be", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { host, booted, of } = open();
      const { state, processes } = await booted();
      state.silent = true;
      await vi.advanceTimersByTimeAsync(10 * pulse.every * pulse.looks);
      expect(of("gone")).toEqual([]);
      state.silent = false;
      host.hear({ type: "start", process: 7, program: "node", args: [] });
      await soon(() => expect(processes).toHaveLength(1));
      await vi.advanceTimersByTimeAsync(10 * pulse.every * pulse.looks);
      expect(of("gone")).toEqual([]);
      state.silent = true;
      await vi.advanceTimersByTimeAsync(pulse.every * pulse.looks);
      expect(of("gone")).toEqual([]);
      await vi.advanceTimersByTimeAsync(pulse.every);
      expect(of("gone")).toHaveLength(1);
      expect(of("exit")).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(10 * pulse.every * pulse.looks);
      expect(of("gone")).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("a question that is under way when it goes fails", async () => {
    const { host, booted, said } = open();
    const { container } = await booted();
    let mounted = () => {};
    container.mount = () => new Promise((resolve) => (mounted = resolve));
    host.hear({ type: "put", id: 99, files: [file("a", "a")] });
    host.frameGone("taken out");
    mounted();
    await soon(() => expect(said.at(-1)).toEqual({ type: "failed", id: 99, why: "WebContainer isn't running." }));
    expect(said).toContainEqual({ type: "gone", why: "taken out" });
  });

  test("it is taken down with its processes, without being called gone, and another one can be booted", async () => {
    const { host, booted, said, ask, fakes } = open();
    const { processes, emit, state, listening } = await booted();
    host.hear({ type: "start", process: 7, program: "node", args: [] });
    await soon(() => expect(processes).toHaveLength(1));
    expect(await ask({ type: "end" })).toMatchObject({ type: "answered", answer: { kind: "done" } });
    expect(said.slice(1).map(({ type }) => type)).toEqual(["exit", "answered"]);
    expect([state.tornDown, listening()]).toEqual([1, 0]);
    emit("error", { message: "late" });
    expect(said).toHaveLength(3);
    expect(await ask({ type: "end" })).toMatchObject({ type: "answered" });
    expect(await ask({ type: "boot" })).toMatchObject({ type: "answered", answer: { kind: "booted" } });
    expect(fakes).toHaveLength(2);
  });

  test("the next engine begins with an empty one", async () => {
    const { host, booted, said, booter } = open();
    const { state, emit } = await booted();
    host.end();
    emit("port", 1, "open", "https://a.example");
    expect(state.tornDown).toBe(1);
    expect(booter.running()).toBeNull();
    expect(said).toHaveLength(1);
  });
});
