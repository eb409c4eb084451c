import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admitChanges } from "../../../src/engine/permissions/permissions.ts";
import type { SandboxChange } from "../../../src/shell/sandbox.ts";
import { openLink } from "../../../src/shell/webcontainer/link.ts";
import { createMirror, type Mirror } from "../../../src/shell/webcontainer/mirror.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import type { Files } from "../../../src/fs/files.ts";
import { path } from "../../fs/notation.ts";
import { manualTimers } from "../../engine/providers/timers.ts";
import { type FakeWebContainer, fakeWebContainer } from "./fake-webcontainer.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (given: Uint8Array | undefined): string | null => (given ? new TextDecoder().decode(given) : null);

interface World {
  readonly files: Files;
  readonly container: FakeWebContainer;
  readonly mirror: Mirror;
  /** Stores the WebContainer's changes like a command's result. */
  keep(): Promise<readonly string[]>;
  write(name: string, content: string): Promise<void>;
  remove(name: string): Promise<void>;
  bringIn(): Promise<void>;
  /** Starts another WebContainer after the first one has gone. */
  boot(): Promise<{ readonly ok: boolean }>;
}

async function world(contents: Readonly<Record<string, string>> = {}): Promise<World> {
  const files = memoryFiles({ now: () => 0 });
  const epoch = await files.lead();
  const container = fakeWebContainer();
  const link = openLink(container.port, { port: () => undefined, hidden: () => undefined, gone: () => undefined }, manualTimers());
  const mirror = createMirror(link.container(), {
    list: () => files.list(),
    read: (at) => files.read(at),
    readMany: (paths) => Promise.all(paths.map((at) => files.read(at))),
  });
  const commit = async (changes: Parameters<Files["commit"]>[0]): Promise<void> => {
    const done = await files.commit(changes, { epoch, durability: "relaxed" });
    if (!done.ok) throw new Error(done.failure.kind);
  };
  const made: World = {
    files,
    container,
    mirror,
    async keep() {
      await mirror.collect();
      const changes = mirror.take();
      const admitted = await admitChanges(changes, { files, fileChanges: { textAt: async () => null } });
      if (admitted.changes.length > 0) await commit(admitted.changes);
      await mirror.settle(changes);
      return admitted.notes;
    },
    write: (name, content) => commit([{ op: "write", path: path(name), data: content }]),
    async remove(name) {
      if ((await files.read(path(name))) !== null) await commit([{ op: "remove", path: path(name) }]);
    },
    bringIn: () => mirror.bringIn(() => undefined),
    boot: () => link.boot(),
  };
  for (const [name, content] of Object.entries(contents)) await made.write(name, content);
  await made.bringIn();
  return made;
}

async function stored({ files }: World): Promise<Record<string, string | null>> {
  const listed = await files.list();
  return Object.fromEntries(
    await Promise.all(listed.map(async (stat) => [stat.path, text((await files.read(stat.path))?.bytes)] as const)),
  );
}

const inside = ({ container }: World): Record<string, string | null> =>
  Object.fromEntries([...container.files].map(([name, given]) => [name, text(given)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const shown = (changes: readonly SandboxChange[]): string[] =>
  changes.map((change) => `${change.path} ${text(change.bytes ?? undefined) ?? "gone"} since ${change.base === null ? "never" : "given"}`);

describe("files both ways", () => {
  test("everything goes in at first, and then what differs", async () => {
    const w = await world({ a: "1", "src/b": "2" });
    expect(inside(w)).toEqual({ a: "1", "src/b": "2" });
    w.container.asked.length = 0;
    await w.bringIn();
    expect(w.container.asked).toEqual([]);
    await w.write("a", "3");
    await w.remove("src/b");
    await w.bringIn();
    expect(w.container.asked).toEqual(["remove", "put"]);
    expect(inside(w)).toEqual({ a: "3" });
  });

  test("what was changed, made and removed inside is found, with what it was before", async () => {
    const w = await world({ a: "1", b: "2", c: "3" });
    w.container.files.set("a", bytes("changed"));
    w.container.files.set("new/file", bytes("made"));
    w.container.files.delete("c");
    await w.mirror.collect();
    expect(shown(w.mirror.take())).toEqual(["a changed since given", "new/file made since never", "c gone since given"]);
  });

  test("a file changed several times before it is taken has the base of the first change", async () => {
    const w = await world({ a: "1" });
    for (const content of ["2", "3"]) {
      w.container.files.set("a", bytes(content));
      await w.mirror.collect();
    }
    expect(shown(w.mirror.take())).toEqual(["a 3 since given"]);
  });

  test("what is found and not taken yet is not written over", async () => {
    const w = await world({ a: "1" });
    w.container.files.set("a", bytes("inside"));
    await w.mirror.collect();
    await w.write("a", "outside");
    await w.bringIn();
    expect(inside(w)).toEqual({ a: "inside" });
    expect(await w.keep()).toEqual(["someone else changed a, so their version was kept; this command's version is in a.conflict-1"]);
    await w.bringIn();
    expect(await stored(w)).toEqual({ a: "outside", "a.conflict-1": "inside" });
    expect(inside(w)).toEqual(await stored(w));
  });

  test("a change of a dialog is undone inside, and reported", async () => {
    const dialog = "vibey/dialog-20260101-000000-start-done.md";
    const w = await world({ [dialog]: "said" });
    w.container.files.set(dialog, bytes("forged"));
    expect(await w.keep()).toHaveLength(1);
    expect(inside(w)).toEqual({ [dialog]: "said" });
    w.container.files.delete(dialog);
    expect(await w.keep()).toHaveLength(1);
    expect(inside(w)).toEqual({ [dialog]: "said" });
  });

  test("a file comes where a folder was, and a folder where a file was", async () => {
    const w = await world({ a: "1", "b/c": "2" });
    w.container.asked.length = 0;
    await w.remove("a");
    await w.write("a/b", "3");
    await w.remove("b/c");
    await w.write("b", "4");
    await w.bringIn();
    // Obstacles are removed first, including a folder that becomes empty.
    expect(w.container.asked).toEqual(["remove", "remove", "put"]);
    expect(inside(w)).toEqual({ "a/b": "3", b: "4" });
  });

  test("what a WebContainer has at first, and the store has not, is not the project's", async () => {
    const w = await world({ a: "1" });
    w.container.files.set("left", bytes("over"));
    const link = openLink(
      w.container.port,
      { port: () => undefined, hidden: () => undefined, gone: () => undefined },
      manualTimers(),
    ).container();
    const again = createMirror(link, {
      list: () => w.files.list(),
      read: (at) => w.files.read(at),
      readMany: (paths) => Promise.all(paths.map((at) => w.files.read(at))),
    });
    await again.adopt();
    await again.bringIn(() => undefined);
    expect(inside(w)).toEqual({ a: "1" });
    await again.collect();
    expect(again.pending).toBe(0);
  });

  test("installed packages stay where they are, on both sides", async () => {
    const w = await world({ "package.json": "{}", "node_modules/a/index.js": "stored" });
    expect(inside(w)).toEqual({ "package.json": "{}" });
    w.container.files.set("node_modules/b/index.js", bytes("installed"));
    w.container.files.set("packages/x/node_modules/b/index.js", bytes("installed"));
    expect(await w.keep()).toEqual([]);
    expect(Object.keys(await stored(w)).toSorted()).toEqual(["node_modules/a/index.js", "package.json"]);
    expect(Object.keys(inside(w))).toContain("node_modules/b/index.js");
  });

  test("what can't be kept is said once", async () => {
    const w = await world();
    w.container.files.set("bad\\name", bytes("x"));
    await w.mirror.collect();
    await w.mirror.collect();
    expect(w.mirror.takeRemarks()).toEqual([`not kept: "bad\\\\name" can't be the name of a file of the project: it contains a backslash`]);
    expect(w.mirror.takeRemarks()).toEqual([]);
  });

  test("bytes that are no text come back as they are", async () => {
    const w = await world();
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    w.container.files.set("b", all);
    w.container.files.set("mark", bytes("\uFEFFx"));
    await w.keep();
    expect((await w.files.read(path("b")))?.bytes).toEqual(all);
    expect(text((await w.files.read(path("mark")))?.bytes.subarray(3))).toBe("x");
    expect((await w.files.read(path("mark")))?.bytes.length).toBe(4);
  });

  test("a snapshot that can't be read is asked for as a tree, from then on", async () => {
    const w = await world({ a: "1" });
    const { port } = w.container;
    const formats: string[] = [];
    const post = port.post.bind(port);
    port.post = (message) => {
      if (message.type !== "export") return post(message);
      formats.push(message.format);
      if (message.format === "json") return post(message);
      w.container.say({ type: "answered", id: message.id, answer: { kind: "snapshot", bytes: bytes("nonsense") } });
    };
    w.container.files.set("a", bytes("2"));
    await w.keep();
    await w.keep();
    expect(formats).toEqual(["binary", "json", "json"]);
    expect(await stored(w)).toEqual({ a: "2" });
  });

  test("a WebContainer that is gone loses nothing that was found before", async () => {
    const w = await world({ a: "1" });
    w.container.files.set("a", bytes("2"));
    await w.mirror.collect();
    w.container.say({ type: "gone", why: "it crashed" });
    await expect(w.mirror.collect()).rejects.toThrow("it crashed");
    expect(shown(w.mirror.take())).toEqual(["a 2 since given"]);
  });
});

describe("names whose letters are composed otherwise", () => {
  const [composed, apart] = ["caf\u00e9.txt", "cafe\u0301.txt"];

  test("a file is known by the composed one, and keeps its own inside, whoever changes it", async () => {
    const w = await world();
    w.container.files.set(apart, bytes("1"));
    expect(await w.keep()).toEqual([]);
    expect(await stored(w)).toEqual({ [composed]: "1" });
    await w.mirror.collect();
    expect(w.mirror.pending).toBe(0);
    await w.write(composed, "2");
    await w.bringIn();
    expect(inside(w)).toEqual({ [apart]: "2" });
    await w.remove(composed);
    await w.bringIn();
    expect(inside(w)).toEqual({});
    expect(w.mirror.takeRemarks()).toEqual([]);
  });

  test("of two files that are one the composed one is kept, which is said once and does not change from look to look", async () => {
    const w = await world({ [composed]: "1" });
    w.container.files.set(apart, bytes("2"));
    for (let i = 0; i < 3; i += 1) {
      await w.mirror.collect();
      expect(w.mirror.pending).toBe(0);
    }
    expect(w.mirror.takeRemarks()).toEqual([
      `"${composed}" names two files here, which differ only in how its letters are composed; one is kept: rename the other`,
    ]);
    w.container.files.delete(composed);
    await w.keep();
    expect(await stored(w)).toEqual({ [composed]: "2" });
    w.container.files.set(composed, bytes("3"));
    await w.keep();
    await w.remove(composed);
    await w.bringIn();
    expect(inside(w)).toEqual({});
    w.container.files.set(apart, bytes("2"));
    await w.keep();
    w.container.files.delete(apart);
    await w.keep();
    expect(await stored(w)).toEqual({});
  });
});

/** Puts the beginning of each file and removes the first of the files to be removed; then fails. */
function failing({ container }: World): void {
  container.answer = (message) => {
    if (message.type === "put") for (const { path: name, bytes: given } of message.files) container.files.set(name, given.slice(0, 1));
    else if (message.type === "remove") container.files.delete(message.paths[0] ?? "");
    else return undefined;
    return "no room";
  };
}

describe("what is in a file's way", () => {
  test("a link is removed before a file is put at its place, or below it, and never written through", async () => {
    const w = await world({ a: "1", b: "b's own", "src/x": "2", "other/x": "other's own" });
    w.container.files.delete("a");
    w.container.files.delete("src/x");
    w.container.links.set("a", "b");
    w.container.links.set("src", "other");
    await w.keep();
    await w.write("a", "1");
    await w.write("src/x", "2");
    await w.bringIn();
    await w.keep();
    expect(await stored(w)).toEqual({ a: "1", b: "b's own", "src/x": "2", "other/x": "other's own" });
    expect(inside(w)).toEqual(await stored(w));
  });

  test("a folder that was emptied, or made empty, gives way to a file", async () => {
    const w = await world({ "docs/a": "1", b: "2" });
    await w.remove("docs/a");
    await w.bringIn();
    w.container.folders.add("build");
    await w.write("docs", "a file");
    await w.write("build", "another");
    await w.bringIn();
    expect(inside(w)).toEqual(await stored(w));
    expect(w.mirror.takeRemarks()).toEqual([]);
  });

  test("one that holds something stays: the file alone is told of, again and again, and is there when it can be", async () => {
    const w = await world();
    w.container.files.set("z/made", bytes("inside"));
    await w.write("z", "1");
    await w.write("y", "2");
    await w.bringIn();
    expect(w.container.files.has("y")).toBe(true);
    expect(w.mirror.takeRemarks()).toEqual([expect.stringContaining("z could not be brought into the WebContainer")]);
    await expect(w.bringIn()).rejects.toThrow("EISDIR");
    await w.bringIn();
    for (const all of [w.container.files, w.container.folders])
      for (const name of all.keys()) if (/^z(?:\/|$)/.test(name)) all.delete(name);
    await w.bringIn();
    expect(inside(w)).toEqual({ y: "2", z: "1" });
  });
});

describe("a WebContainer that has gone", () => {
  test("has no say any more, though another one answers", async () => {
    const w = await world({ a: "1" });
    w.container.files.set("a", bytes("2"));
    await w.mirror.collect();
    w.container.say({ type: "gone", why: "it crashed" });
    await new Promise((resolve) => setImmediate(resolve));
    w.container.files.clear();
    expect(await w.boot()).toMatchObject({ ok: true });
    await expect(w.mirror.collect()).rejects.toThrow("it crashed");
    await expect(w.bringIn()).resolves.toBeUndefined();
    await w.write("b", "1");
    await expect(w.bringIn()).rejects.toThrow("it crashed");
    expect(shown(w.mirror.take())).toEqual(["a 2 since given"]);
    expect(inside(w)).toEqual({});
  });
});

describe("files that could not be put", () => {
  test("and are no more wanted, but could not be removed either: they are nobody's change", async () => {
    const w = await world({ a: "1" });
    await w.write("n", "12345");
    failing(w);
    await expect(w.bringIn()).rejects.toThrow("no room");
    await w.remove("n");
    w.container.answer = ({ type }) => (type === "remove" ? "busy" : undefined);
    await expect(w.bringIn()).rejects.toThrow("busy");
    w.container.answer = () => undefined;
    await w.bringIn();
    await w.keep();
    expect(await stored(w)).toEqual({ a: "1" });
    expect(inside(w)).toEqual({ a: "1" });
  });

  test("are no change of anybody's, are put again, and hide no change", async () => {
    const w = await world({ a: "1", gone: "1", left: "1" });
    await w.write("a", "22");
    await w.write("new", "33");
    failing(w);
    await expect(w.bringIn()).rejects.toThrow("no room");
    await w.remove("gone");
    await w.remove("left");
    await expect(w.bringIn()).rejects.toThrow("no room");
    w.container.answer = () => undefined;
    w.container.files.set("left", bytes("changed"));
    await w.mirror.collect();
    expect(shown(w.mirror.take())).toEqual(["left changed since given"]);
    await w.bringIn();
    expect(inside(w)).toMatchObject({ a: "22", new: "33" });
  });

  test("and are as before after all, or no more wanted: that is so inside, too", async () => {
    const w = await world({ a: "1" });
    await w.write("a", "22");
    await w.write("new", "33");
    failing(w);
    await expect(w.bringIn()).rejects.toThrow("no room");
    w.container.answer = () => undefined;
    await w.write("a", "1");
    await w.remove("new");
    await w.bringIn();
    expect(inside(w)).toEqual({ a: "1" });
  });
});

const names = ["a", "b", "folder/c", "vibey/doc-x.md"];
/** `fail`: the WebContainer stores only the beginning of what it gets, and reports a failure. */
type Step = readonly ["in" | "out", string, string | null] | readonly ["sync"] | readonly ["fail"];
const contents: fc.Arbitrary<string | null> = fc.option(fc.string({ maxLength: 4 }), { freq: 4, nil: null });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("in" as const, "out" as const), fc.constantFrom(...names), contents) },
  { weight: 2, arbitrary: fc.constant(["sync"] as const) },
  { weight: 1, arbitrary: fc.constant(["fail"] as const) },
);

test("whatever is done on both sides: after a sync both hold the same, and no content of the last sync's time is lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const w = await world({ a: "first" });
      /** The last write of each side since the last sync. */
      let written = new Map<string, string | null>();
      /** The content on both sides at the last sync. Writing it again inside is no change. */
      let before = await stored(w);
      /** Content that could not be put. Someone who writes its beginning inside can't be told from a WebContainer that stopped there. */
      let tried = new Map<string, string>();
      for (const one of [...steps, ["sync"] as const]) {
        if (one[0] === "sync") {
          await w.keep();
          await w.bringIn();
          const now = await stored(w);
          expect(inside(w)).toEqual(Object.fromEntries(Object.entries(now).toSorted(([x], [y]) => (x < y ? -1 : 1))));
          for (const [key, content] of written) if (content !== null) expect(Object.values(now), key).toContain(content);
          written = new Map();
          tried = new Map();
          before = now;
          continue;
        }
        if (one[0] === "fail") {
          // As before a command while another process is alive.
          await w.mirror.collect();
          failing(w);
          const fail = w.container.answer;
          w.container.answer = (message) => {
            if (message.type === "put") for (const { path: name, bytes: given } of message.files) tried.set(name, text(given) ?? "");
            return fail(message);
          };
          await w.bringIn().catch((error: unknown) => expect(String(error)).toContain("no room"));
          w.container.answer = () => undefined;
          // Content that arrived completely may be changed by anyone who has seen it.
          for (const name of names) if (written.get(`out ${name}`) === text(w.container.files.get(name))) written.delete(`out ${name}`);
          continue;
        }
        const [side, name, content] = one;
        const isNone = side === "in" && (before[name] === content || (content !== null && tried.get(name)?.startsWith(content) === true));
        written.set(`${side} ${name}`, isNone ? null : content);
        if (side === "out") await (content === null ? w.remove(name) : w.write(name, content));
        else if (content === null) w.container.files.delete(name);
        else w.container.files.set(name, bytes(content));
      }
    }),
    { numRuns: 200 },
  );
});
