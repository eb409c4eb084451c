import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Actor, actorKey, agent, human } from "../../src/fs/actor.ts";
import type { Change, CommitOptions, CommitResult, FileEvent, Files } from "../../src/fs/files.ts";
import { StorageError } from "../../src/fs/storage-error.ts";
import { indexLaw } from "./index-law.ts";
import { listLaw } from "./list-law.ts";
import { changes, commit, everything, path, textOf, texts } from "./notation.ts";

/** Opens a handle of the project. Called again, it opens another handle of the same project. */
export type Open = (now: () => number) => Promise<Files>;

const relaxed: CommitOptions = { durability: "relaxed" };
const a = path("a");
const b = path("b");

/** The contract that every implementation of `Files` keeps. `make` starts a new project each time. */
export function filesContract(subject: string, make: () => Open): void {
  describe(`${subject} keeps the contract of Files`, () => {
    let files: Files;
    let open: () => Promise<Files>;
    const clock = { now: 0 };
    const handles: Files[] = [];

    beforeEach(async () => {
      clock.now = 1000;
      const openProject = make();
      open = async () => {
        const handle = await openProject(() => clock.now);
        handles.push(handle);
        return handle;
      };
      files = await open();
    });
    afterEach(() => {
      for (const handle of handles.splice(0)) handle.close();
    });

    /** The commits, and then all files with their texts. */
    const outcomes: [title: string, commits: string[], after: string][] = [
      ["nothing is there at first", [], ""],
      ["a write makes a file", ["write a one"], "a=one"],
      ["a write replaces everything", ["write a one", "append a two", "write a three"], "a=three"],
      ["a write of nothing makes an empty file", ["write a _"], "a="],
      ["a write of no piece makes an empty file", ["write a"], "a="],
      ["a write of a list joins it", ["write a one two three"], "a=onetwothree"],
      ["an append adds", ["write a one", "append a two", "append a _", "append a three"], "a=onetwothree"],
      ["an append to an empty file", ["write a _", "append a one"], "a=one"],
      [
        "changes see those before them",
        ["write a 1; append a 2; rename a b; append b 3; write a 4; remove b; rename a b; append b 5"],
        "b=45",
      ],
      [
        "a path can be written, removed and written in one commit",
        ["write a 1", "remove a; write a 2; remove a; write a 3; append a 4"],
        "a=34",
      ],
      ["two files swap their names in one commit", ["write a 1; write b 2", "rename a c; rename b a; rename c b"], "a=2 b=1"],
      ["a rename keeps the text", ["write a one", "append a two", "rename a b"], "b=onetwo"],
      ["a renamed file goes on under its new name", ["write a one h:two", "rename a b", "append b three", "patch b h:2"], "b=one2three"],
      [
        "a new file under an old name has nothing of the old one",
        ["write a one h:two", "rename a b", "write a new", "patch b h:2"],
        "a=new b=one2",
      ],
      ["a remove removes", ["write a one; write b two", "append a three", "remove a"], "b=two"],
      ["a removed file leaves nothing to a new one", ["write a one h:two", "remove a", "write a h:three", "patch a h:3"], "a=3"],
      ["letter case tells files apart", ["write a 1; write A 2"], "A=2 a=1"],
      ["a directory is no file, and a file no directory", ["write a/b 1; write a 2; write a/b/c 3"], "a=2 a/b=1 a/b/c=3"],

      ["an open piece grows", ["write a one", "append a h:two", "append a three", "patch a h:twenty"], "a=onetwentythree"],
      ["an open piece shrinks", ["write a one h:two three", "patch a h:_"], "a=onethree"],
      ["an empty open piece holds its place", ["write a one", "append a h:_", "append a three", "patch a h:two"], "a=onetwothree"],
      ["a patch sees patches before it", ["write a h:1", "patch a h:2; patch a h:3", "append a 4; patch a h:5"], "a=54"],
      ["a closing patch has the last word", ["write a h:1 2", "close a h:one"], "a=one2"],
      ["a closed label can open again, elsewhere", ["write a h:1 2", "close a h:one", "append a h:3", "patch a h:three"], "a=one2three"],
      [
        "several pieces are open at once",
        ["write a h:1 2 t:3", "append a u:4", "patch a t:three; patch a h:one; patch a u:four"],
        "a=one2threefour",
      ],
      ["opened and patched in one commit", ["write a 1; append a h:2; append a 3; patch a h:two; close a h:TWO"], "a=1TWO3"],
      ["a write closes what was open", ["write a h:1", "write a 2; append a h:3; patch a h:4"], "a=24"],
      ["the same label in two files", ["write a h:1; write b h:2", "patch a h:one; patch b h:two"], "a=one b=two"],

      ["a fold changes no text", ["write a 1", "append a 2", "append a 3", "fold a", "append a 4", "fold a", "fold a"], "a=1234"],
      [
        "a fold keeps open pieces open",
        ["write a 1 2 h:3 4 5 t:6 7 8", "fold a", "patch a h:three; patch a t:six; append a 9"],
        "a=12three45six789",
      ],
      [
        "a closed piece is folded later",
        ["write a 1 h:2 3", "fold a; close a h:two; fold a", "append a 4; fold a; rename a b; fold b", "append b 5"],
        "b=1two345",
      ],
      ["a fold of what is gone later in the commit", ["write a 1 2", "fold a; remove a; write b 3 4; fold b; write b 5"], "b=5"],
      ["a fold of an empty file", ["write a _", "fold a", "append a 1", "append a h:_", "fold a", "append a 3", "patch a h:2"], "a=123"],
    ];
    test.each(outcomes)("%s", async (_title, commits, after) => {
      for (const each of commits) await commit(files, each);
      expect(await texts(files)).toBe(after);
      for (const { path: one, size } of await files.list()) expect(size).toBe((await textOf(files, one)).length);
    });

    /** The files, an impossible change, and why it is refused. */
    const refusals: [before: string, change: string, failure: object][] = [
      ["write b 1", "append a 1", { kind: "missing", path: "a" }],
      ["write b 1", "patch a h:1", { kind: "missing", path: "a" }],
      ["write b 1", "rename a c", { kind: "missing", path: "a" }],
      ["write b 1", "remove a", { kind: "missing", path: "a" }],
      ["write b 1", "fold a", { kind: "missing", path: "a" }],
      ["write b 1", "remove b; append b 2", { kind: "missing", path: "b" }],
      ["write b 1", "rename b c; remove b", { kind: "missing", path: "b" }],
      ["write a 1; write b 2", "rename a b", { kind: "exists", path: "b" }],
      ["write a 1", "rename a a", { kind: "exists", path: "a" }],
      ["write a 1", "write b 2; rename a b", { kind: "exists", path: "b" }],
      ["write a 1", "patch a h:2", { kind: "piece", path: "a", label: "h" }],
      ["write a h:1", "patch a t:2", { kind: "piece", path: "a", label: "t" }],
      ["write a h:1", "close a h:2; patch a h:3", { kind: "piece", path: "a", label: "h" }],
      ["write a h:1", "append a h:2", { kind: "piece", path: "a", label: "h" }],
      ["write a h:1", "write a 1; patch a h:2", { kind: "piece", path: "a", label: "h" }],
      ["write a 1", "write a h:1 h:2", { kind: "piece", path: "a", label: "h" }],
    ];
    test.each(refusals)("after %j, %j is refused in the middle of a commit, and nothing of it is done", async (before, change, failure) => {
      await commit(files, `write x h:1 2; write y 3; ${before}`);
      const state = await everything(files);
      const events: unknown[] = [];
      files.watch((each) => events.push(each));
      const commits = `append x 4; patch x h:5; fold x; rename x z; remove y; write n 1; ${change}; append z 6; write a 7`;
      expect(await files.commit(changes(commits), relaxed)).toEqual({ ok: false, failure });
      expect(await everything(files)).toEqual(state);
      expect(events).toEqual([]);
      await commit(files, "append x 4; patch x h:_");
      expect(await textOf(files, path("x"))).toBe("24");
    });

    test("stat and read give null for what is not there, list an empty list", async () => {
      await commit(files, "write a/b 1");
      expect(await files.stat(a)).toBeNull();
      expect(await files.read(a)).toBeNull();
      expect(await files.list("b")).toEqual([]);
    });

    test("stat, read and list tell the same of a file", async () => {
      clock.now = 5;
      const version = await commit(files, "write a one");
      const stat = { path: "a", size: 3, mtime: 5, version };
      expect(await files.stat(a)).toEqual(stat);
      expect(await files.list()).toEqual([stat]);
      expect(await files.read(a)).toEqual({ ...stat, bytes: new TextEncoder().encode("one") });
    });

    test("readMany gives what read gives, in the order that was asked for, and each its own bytes", async () => {
      await commit(files, "write a one h:two three; write b _; write c/d four");
      const asked = ["c/d", "none", "a", "b", "a"].map(path);
      const expected = await Promise.all(asked.map((each) => files.read(each)));
      const many = await files.readMany(asked);
      expect(many).toEqual(expected);
      many[2]?.bytes.fill(0);
      many[0]?.bytes.fill(0);
      expect(await files.readMany(asked)).toEqual(expected);
      expect(many[4]).toEqual(expected[4]);
      expect(await files.readMany([])).toEqual([]);
    });

    test("readMany sees all of a commit or nothing of it", async () => {
      await commit(files, "write a 0; write b 0");
      const other = await open();
      const seen: Promise<string>[] = [];
      for (let n = 1; n <= 20; n++) {
        const committed = commit(other, `write a ${n}; write b ${n}`);
        seen.push(files.readMany([a, b]).then((both) => both.map((one) => new TextDecoder().decode(one?.bytes)).join(" ")));
        await committed;
      }
      for (const text of await Promise.all(seen)) expect(text).toMatch(/^(\d+) \1$/);
    });

    test.each<[change: string, version: "new" | "kept", mtime: "new" | "kept"]>([
      ["write a 1", "new", "new"],
      ["append a 1", "new", "new"],
      ["patch a h:1", "new", "new"],
      ["rename a b; rename b a", "new", "kept"],
      ["fold a", "kept", "kept"],
      ["write b 1", "kept", "kept"],
    ])("%s gives a %s version and a %s mtime", async (change, version, mtime) => {
      clock.now = 5;
      const before = await commit(files, "write a h:1 2 3");
      clock.now = 6;
      const now = await commit(files, change);
      expect(await files.stat(a)).toMatchObject({ version: version === "new" ? now : before, mtime: mtime === "new" ? 6 : 5 });
    });

    test("versions only grow, across files, failures, removals and leaders", async () => {
      const versions: number[] = [];
      for (const each of ["write a 1", "write b 1", "remove a", "write a 1", "rename a c", "fold c", "append c 2"]) {
        versions.push(await commit(files, each));
        await files.commit(changes("remove no"), relaxed);
        await files.lead();
      }
      expect(versions).toEqual([...new Set(versions)].toSorted((x, y) => x - y));
    });

    test("is new until something was stored, and not again when all of it is removed", async () => {
      expect(await files.isNew()).toBe(true);
      await files.lead();
      expect(await files.isNew()).toBe(true);
      await commit(files, "write a 1");
      expect(await files.isNew()).toBe(false);
      await commit(files, "remove a");
      const other = await open();
      expect([await files.list(), await files.isNew(), await other.isNew()]).toEqual([[], false, false]);
    });

    test("a commit without changes checks and changes nothing", async () => {
      await commit(files, "write a 1");
      const state = await everything(files);
      expect(await files.commit([], { ...relaxed, expect: [{ path: a, version: null }] })).toMatchObject({ failure: { kind: "conflict" } });
      expect(await files.commit([], relaxed)).toMatchObject({ ok: true });
      expect(await everything(files)).toEqual(state);
    });

    describe("data", () => {
      test.each<[string, string]>([
        ["text of many scripts", "grüße, 你好, 👩‍👩‍👧, \u{10ffff}"],
        ["NUL, CR and separators", "a\0b\r\nc\u2028d\ufeff"],
        ["a byte order mark first", "\ufeffa"],
      ])("%s comes back as it was", async (_title, data) => {
        await commit(files, [{ op: "write", path: a, data }]);
        expect(await textOf(files, a)).toBe(data);
        expect((await files.stat(a))?.size).toBe(new TextEncoder().encode(data).length);
      });

      test("every byte comes back as it was, also out of the middle of a larger buffer", async () => {
        const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
        await commit(files, [
          { op: "write", path: a, data: [{ data: bytes.subarray(3, 200) }, { data: bytes.subarray(200), open: "end" }] },
          { op: "append", path: a, data: bytes.subarray(0, 3) },
        ]);
        expect([...((await files.read(a))?.bytes ?? [])]).toEqual([...bytes.subarray(3), 0, 1, 2]);
      });

      test("what the caller does with its bytes after the call changes nothing", async () => {
        const given = new Uint8Array([1, 2, 3]);
        const done = commit(files, [{ op: "write", path: a, data: given }]);
        given.fill(9);
        await done;
        const read = await files.read(a);
        expect([...(read?.bytes ?? [])]).toEqual([1, 2, 3]);
        read?.bytes.fill(9);
        expect([...((await files.read(a))?.bytes ?? [])]).toEqual([1, 2, 3]);
      });

      test.each<Change>([
        { op: "write", path: a, data: "a\ud800b" },
        { op: "write", path: a, data: [{ data: "ok" }, { data: "\udc00" }] },
        { op: "append", path: b, data: "\ud83d" },
        { op: "patch", path: b, label: "h", data: "\udc00\ud800" },
      ])("a lone surrogate throws, and nothing is changed: %j", async (change) => {
        await commit(files, "write b h:1");
        await expect(files.commit([...changes("write c 1"), change], relaxed)).rejects.toThrow(RangeError);
        expect(await texts(files)).toBe("b=1");
      });

      test("large files are kept whole, folded and unfolded", async () => {
        const part = Uint8Array.from({ length: 100_003 }, (_, at) => at % 251);
        await commit(files, [{ op: "write", path: a, data: part }]);
        for (let n = 1; n < 12; n++) await commit(files, [{ op: "append", path: a, data: part }]);
        const whole = Uint8Array.from({ length: part.length * 12 }, (_, at) => (at % part.length) % 251);
        const before = await files.read(a);
        expect(before?.size).toBe(whole.length);
        expect(same(before?.bytes ?? part, whole)).toBe(true);
        await commit(files, "fold a");
        const after = await files.read(a);
        expect(same(after?.bytes ?? part, whole)).toBe(true);
        expect(after?.version).toBe(before?.version);
      });

      test("two thousand appends, folded now and then, are in order", async () => {
        await commit(files, "write a _");
        let expected = "";
        for (let n = 0; n < 2000; n += 20) {
          const words = Array.from({ length: 20 }, (_, at) => `${n + at},`);
          await commit(
            files,
            words.map((data): Change => ({ op: "append", path: a, data })),
          );
          expected += words.join("");
          if (n % 300 === 0) await commit(files, "fold a");
        }
        expect(await textOf(files, a)).toBe(expected);
      });
    });

    describe("expect", () => {
      test.each<[title: string, expected: (versions: { a: number }) => CommitOptions["expect"], ok: boolean]>([
        ["the version that is there", (is) => [{ path: a, version: is.a }], true],
        [
          "nothing, where nothing is",
          (is) => [
            { path: b, version: null },
            { path: a, version: is.a },
          ],
          true,
        ],
        ["an older version", (is) => [{ path: a, version: is.a - 1 }], false],
        ["nothing, where a file is", () => [{ path: a, version: null }], false],
        [
          "a version, where nothing is",
          (is) => [
            { path: a, version: is.a },
            { path: b, version: 1 },
          ],
          false,
        ],
      ])("%s", async (_title, expected, ok) => {
        await commit(files, "write a 1");
        const version = await commit(files, "append a 2");
        const result = await files.commit(changes("write a 3; write b 3"), { ...relaxed, expect: expected({ a: version }) ?? [] });
        expect(result.ok).toBe(ok);
        expect(await texts(files)).toBe(ok ? "a=3 b=3" : "a=12");
      });

      test("a conflict tells what is there, and comes before any other failure", async () => {
        const version = await commit(files, "write a 1");
        expect(await files.commit(changes("remove b"), { ...relaxed, expect: [{ path: a, version: 99 }] })).toEqual({
          ok: false,
          failure: { kind: "conflict", path: "a", expected: 99, found: version },
        });
        expect(await files.commit(changes("remove b"), { ...relaxed, expect: [{ path: b, version: 99 }] })).toEqual({
          ok: false,
          failure: { kind: "conflict", path: "b", expected: 99, found: null },
        });
      });

      test("it is checked before the commit's own changes, and needs no change of that file", async () => {
        const version = await commit(files, "write a 1");
        const options = { ...relaxed, expect: [{ path: a, version }] };
        expect(await files.commit(changes("write a 2; append a 3"), options)).toMatchObject({ ok: true });
        expect(await files.commit(changes("write b 1"), options)).toMatchObject({ failure: { kind: "conflict" } });
      });

      test("of many that claim the same version, one gets it", async () => {
        const version = await commit(files, "write a 0");
        const other = await open();
        const claims = Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? other : files).commit(changes(`append a ${n}`), { ...relaxed, expect: [{ path: a, version }] }),
        );
        const results = await Promise.all(claims);
        expect(results.filter((result) => result.ok)).toHaveLength(1);
        expect(await textOf(files, a)).toBe(`0${results.findIndex((result) => result.ok)}`);
      });
    });

    describe("lead", () => {
      test("each epoch is greater than all before it, whichever handle asks", async () => {
        const other = await open();
        const epochs = [await files.lead(), await other.lead(), await files.lead()];
        expect(epochs).toEqual([...new Set(epochs)].toSorted((x, y) => x - y));
        const together = await Promise.all([files.lead(), other.lead(), files.lead()]);
        expect(new Set([...epochs, ...together]).size).toBe(6);
      });

      test("an older epoch is fenced, whatever else is wrong; the newest and none are not", async () => {
        const old = await files.lead();
        const epoch = await (await open()).lead();
        const fenced = { ok: false, failure: { kind: "fenced", epoch } };
        expect(await files.commit(changes("write a 1"), { ...relaxed, epoch: old })).toEqual(fenced);
        expect(await files.commit(changes("remove b"), { ...relaxed, epoch: old, expect: [{ path: a, version: 1 }] })).toEqual(fenced);
        expect(await files.list()).toEqual([]);
        expect(await files.commit(changes("write a 1"), { ...relaxed, epoch })).toMatchObject({ ok: true });
        expect(await files.commit(changes("append a 2"), relaxed)).toMatchObject({ ok: true });
        expect(await texts(files)).toBe("a=12");
      });

      test("an epoch that this project never gave is fenced", async () => {
        const epoch = await files.lead();
        expect(await files.commit([], { ...relaxed, epoch: epoch + 1 })).toEqual({ ok: false, failure: { kind: "fenced", epoch } });
      });
    });

    describe("at the same time", () => {
      test("a hundred appends of two handles all land, once, each handle's in its order", async () => {
        await commit(files, "write a _");
        const other = await open();
        const results = await Promise.all(
          Array.from({ length: 100 }, (_, n) => (n % 2 ? other : files).commit([{ op: "append", path: a, data: `${n},` }], relaxed)),
        );
        expect(new Set(results.map((result) => result.ok && result.version)).size).toBe(100);
        const landed = (await textOf(files, a)).split(",").slice(0, -1).map(Number);
        expect(landed.filter((n) => n % 2 === 0)).toEqual(Array.from({ length: 50 }, (_, n) => n * 2));
        expect(landed.filter((n) => n % 2 === 1)).toEqual(Array.from({ length: 50 }, (_, n) => n * 2 + 1));
      });

      test("a file that is renamed to and fro is seen under one name by every reader", async () => {
        await commit(files, "write a 1");
        const other = await open();
        const renames = Array.from({ length: 40 }, (_, n) => commit(files, n % 2 ? "rename b a" : "rename a b"));
        const seen = await Promise.all(Array.from({ length: 40 }, () => other.list()));
        await Promise.all(renames);
        for (const list of seen) expect(list).toHaveLength(1);
      });

      test("a read is of one moment", async () => {
        await commit(files, "write a h:0 0");
        const other = await open();
        const commits = Array.from({ length: 30 }, (_, n) =>
          commit(files, `patch a h:${"x".repeat(n)}; append a ${"y".repeat(n)}; fold a`),
        );
        const reads = await Promise.all(Array.from({ length: 30 }, () => other.read(a)));
        await Promise.all(commits);
        for (const read of reads) expect(read?.bytes.length).toBe(read?.size);
      });

      test("another handle sees what was answered as done", async () => {
        const other = await open();
        for (let n = 0; n < 20; n++) {
          await commit(files, `write a ${n}`);
          expect(await textOf(other, a)).toBe(`${n}`);
        }
      });
    });

    describe("list", () => {
      listLaw(make);

      test("is the caller's own", async () => {
        await commit(files, "write a 1; write b 2");
        for (const prefix of ["", "", "a", "a"]) (await files.list(prefix)).splice(0);
        expect((await files.list()).map((stat) => stat.path)).toEqual(["a", "b"]);
      });

      test("is sorted by code units, and a prefix is a text, not a directory", async () => {
        const names = ["vibey/b.md", "vibey/a.md", "vibey", "vibey-x", "Vibey/a.md", "ü", "z", "\u{1f600}", "\uffee", "vibey/a.md/b"];
        await commit(
          files,
          names.map((name): Change => ({ op: "write", path: path(name), data: name })),
        );
        const listed = async (prefix?: string): Promise<string[]> => (await files.list(prefix)).map((stat) => stat.path);
        expect(await listed()).toEqual(names.toSorted());
        expect(await listed("")).toEqual(names.toSorted());
        for (const prefix of ["v", "vibey", "vibey/", "vibey/a.md", "\u{1f600}", "\ud83d", "\uffee", "\uffff", "nothing"]) {
          expect(await listed(prefix), prefix).toEqual(names.filter((name) => name.startsWith(prefix)).toSorted());
        }
      });

      test("a prefix that ends in the last code unit finds what follows it", async () => {
        const names = ["a\uffff", "a\uffff\uffff", "a\uffffb", "b", "\uffff\uffff", "\uffff\uffffz"];
        await commit(
          files,
          names.map((name): Change => ({ op: "write", path: path(name), data: "" })),
        );
        for (const prefix of ["a", "a\uffff", "a\uffff\uffff", "\uffff", "\uffff\uffff"]) {
          const listed = (await files.list(prefix)).map((stat) => stat.path);
          expect(listed, prefix).toEqual(names.filter((name) => name.startsWith(prefix)).toSorted());
        }
      });

      test("ten thousand files", async () => {
        const names = Array.from({ length: 10_000 }, (_, n) => path(`src/${n % 100}/file-${n}.ts`));
        await commit(
          files,
          names.map((name): Change => ({ op: "write", path: name, data: name })),
        );
        expect((await files.list()).map((stat) => stat.path)).toEqual(names.toSorted());
        expect(await files.list("src/7/")).toHaveLength(100);
        expect(await textOf(files, path("src/42/file-9942.ts"))).toBe("src/42/file-9942.ts");
      });
    });

    indexLaw(make);

    describe("watch", () => {
      test("tells each commit once, in order, with who did it, and every change of it in order", async () => {
        const log = watched(files);
        const run = (text: string, by?: Actor): Promise<CommitResult> =>
          files.commit(changes(text), by === undefined ? relaxed : { ...relaxed, by });
        await run("write a h:1", human);
        await run("patch a h:2; append a 3; close a h:4; write b 1; append a 4", agent("1"));
        await run("rename a c; append c 5; remove c");
        await run("remove c", human);
        await run("fold b", human);
        const [first, second, third] = [1, 2, 3];
        expect(log).toEqual([
          `human: a changed at ${first}`,
          `dialog 1: a changed at ${second}, dialog 1: b changed at ${second}, dialog 1: a changed at ${second}`,
          `vibey: a → c at ${third}, vibey: c changed at ${third}, vibey: c removed`,
        ]);
      });

      test("a listener sees the commit that it is told of", async () => {
        const seen: Promise<string>[] = [];
        files.watch(() => seen.push(textOf(files, a)));
        await commit(files, "write a 1");
        await commit(files, "append a 2");
        expect(seen).toHaveLength(2);
        expect(await seen[0]).toMatch(/^12?$/);
        expect(await seen[1]).toBe("12");
      });

      test("handles hear of each other's commits, all in the same order", async () => {
        const other = await open();
        const logs = [files, other].map(watched);
        await commit(files, "write a _");
        await Promise.all(
          Array.from({ length: 40 }, (_, n) => (n % 2 ? other : files).commit(changes(`append a ${n}`), { ...relaxed, by: agent(`${n}`) })),
        );
        await expect.poll(() => logs.map((log) => log.length), { timeout: 5000 }).toEqual([41, 41]);
        expect(logs[0]).toEqual(logs[1]);
        const versions = logs[0]?.map((line) => Number(line.split(" ").at(-1)));
        expect(versions).toEqual(versions?.toSorted((x, y) => x - y));
      });

      test("one that commits hears of its own commit after all have heard of the first", async () => {
        const log: string[] = [];
        const answers: Promise<number>[] = [];
        files.watch((events) => {
          log.push(`first: ${events.map(show).join()}`);
          if (answers.length === 0) answers.push(commit(files, "write b 2"));
        });
        files.watch((events) => log.push(`second: ${events.map(show).join()}`));
        await commit(files, "write a 1");
        await Promise.all(answers);
        expect(log).toEqual([
          "first: vibey: a changed at 1",
          "second: vibey: a changed at 1",
          "first: vibey: b changed at 2",
          "second: vibey: b changed at 2",
        ]);
      });

      test("stopping stops, at once, for that listener alone", async () => {
        const log = watched(files);
        const stopped: unknown[] = [];
        const stop = files.watch((events) => stopped.push(events));
        await commit(files, "write a 1");
        stop();
        stop();
        await commit(files, "write a 2");
        expect([log.length, stopped.length]).toEqual([2, 1]);
      });
    });

    describe("close", () => {
      test("afterwards commits fail as broken and everything else rejects", async () => {
        await commit(files, "write a 1");
        const events: unknown[] = [];
        files.watch((each) => events.push(each));
        files.close();
        files.close();
        expect(await files.commit(changes("write a 2"), relaxed)).toMatchObject({ ok: false, failure: { kind: "broken" } });
        for (const call of [files.stat(a), files.read(a), files.list(), files.lead()]) {
          await expect(call).rejects.toBeInstanceOf(StorageError);
          await expect(call).rejects.toMatchObject({ kind: "closed" });
        }
        expect(() => files.watch(() => undefined)).toThrow(StorageError);
        expect(events).toEqual([]);
      });

      test("a commit under way is finished, and other handles go on", async () => {
        const other = await open();
        const log: string[] = [];
        other.watch((events) => log.push(...events.map((event) => event.kind)));
        const under = files.commit(changes("write a 1"), relaxed);
        files.close();
        expect(await under).toMatchObject({ ok: true });
        await commit(other, "append a 2");
        expect(await texts(other)).toBe("a=12");
        await expect.poll(() => log, { timeout: 5000 }).toEqual(["changed", "changed"]);
      });

      test("its listeners hear no more, whoever commits", async () => {
        const [other, third] = [await open(), await open()];
        const events: unknown[] = [];
        const heard = watched(third);
        files.watch((each) => events.push(each));
        files.close();
        await commit(other, "write a 1");
        await commit(other, "write a 2");
        await expect.poll(() => heard, { timeout: 5000 }).toHaveLength(2);
        expect(events).toEqual([]);
      });

      test("what was stored is there for the next handle, open pieces too", async () => {
        const stay = await open();
        await commit(files, "write a 1 h:2 3");
        const state = await everything(files);
        files.close();
        const next = await open();
        expect(await everything(next)).toEqual(state);
        await commit(next, "close a h:two");
        expect(await texts(stay)).toBe("a=1two3");
      });
    });
  });
}

function watched(handle: Files): string[] {
  const log: string[] = [];
  handle.watch((events) => log.push(events.map(show).join(", ")));
  return log;
}

function show(event: FileEvent): string {
  if (event.kind === "renamed") return `${actorKey(event.by)}: ${event.from} → ${event.to} at ${event.version}`;
  return `${actorKey(event.by)}: ${event.path} ${event.kind}${event.kind === "changed" ? ` at ${event.version}` : ""}`;
}

/** Much faster than `toEqual` on a megabyte. */
function same(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
