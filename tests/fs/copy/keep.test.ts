import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deleteDB, openDB } from "idb";
import { agent, sameActor } from "../../../src/fs/actor.ts";
import { findCopies } from "../../../src/fs/copy/found.ts";
import { type IdbFiles, openIdbFiles } from "../../../src/fs/idb.ts";
import { commit, path, texts } from "../notation.ts";
import { copying, lastNoted, memoryPlace, type MemoryPlace, newest, restore } from "./copying.ts";

let name: string;
let files: IdbFiles;
let place: MemoryPlace;
beforeEach(async () => {
  name = crypto.randomUUID();
  files = await openIdbFiles({ name, now: () => 7 });
  place = memoryPlace();
});
afterEach(() => files.close());

const word = (bytes: number) => "x".repeat(bytes);

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Simulates closing the tab: everything that it had open is released. */
const crash = () => place.held.clear();

describe("what is in the copy", () => {
  test.each([
    ["write a 1", "append a 2", "a=12"],
    ["write a 1 h:2 3", "patch a h:two; append a 4", "a=1two34"],
    ["write a 1 h:2 3", "append a 4; close a h:2; append a t:5", "a=12345"],
    ["write a 1; append a h:2", "rename a b; append b 3", "b=123"],
    ["write a 1; write b 2", "remove a; rename b a", "a=2"],
    ["write a 1; write b 2", "rename a c; rename b a; rename c b", "a=2 b=1"],
    ["write a 1", "write a 2; write dir/b 3", "a=2 dir/b=3"],
    ["write a 1", "remove a", ""],
    ["write a _", "write node_modules/x 1; rename a node_modules/a; write b 1", "b=1"],
    ["write a 1; append a 2; append a 3", "fold a; append a 4", "a=1234"],
  ])("after %s, then %s: %s", async (first, then, expected) => {
    const copy = await copying(files, place);
    await commit(files, first);
    await copy.settle();
    await commit(files, then);
    await copy.settle();
    crash();
    expect((await newest(place))?.texts).toBe(expected);
    expect(copy.state()).toMatchObject({ trouble: null, kept: { generation: 1, at: 1_000 } });
  });

  test("a file that gets another name between the look at it and the reading, however often: the mark tells no lie", async () => {
    await commit(files, "write a 1; write b 2");
    const names = ["a", "c", "d", "e"];
    const moving: IdbFiles = {
      ...files,
      async source() {
        const own = await files.source();
        return {
          ...own,
          async look(paths) {
            const seen = await own.look(paths);
            const [from, to] = [names.shift(), names[0]];
            if (from !== undefined && to !== undefined) await commit(files, `rename ${from} ${to}`);
            return seen;
          },
        };
      },
    };
    const copy = await copying(moving, place);
    await copy.settle();
    crash();
    expect((await newest(place))?.texts).toBe("b=2 e=1");
  });

  test("what it is made from again, in another tab, after a change that it did not see", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1; write b 2; write c h:3 4");
    await copy.settle();
    crash();
    await commit(files, "append a 1; rename b d; patch c h:33");
    files.close();
    files = await openIdbFiles({ name, now: () => 7 });
    const next = await copying(files, place);
    await next.settle();
    crash();
    expect((await newest(place))?.texts).toBe("a=11 c=334 d=2");
    expect((await newest(place))?.copy.generation).toBe(1);
  });

  test("a file that the database has lost bytes of stays as it was, and is named", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1 h:2 3; write b 4");
    await copy.settle();
    const raw = await openDB(name);
    await raw.delete("pieces", [1, 0]);
    raw.close();
    await commit(files, "append a 4; write b 5");
    await copy.settle();
    expect((await newest(memoryOf(place)))?.texts).toMatch(/b=5$/);
    // Only the end of a file is read as long as that is enough, so reading the whole file isn't tried.
    const fresh = await copying(files, memoryPlace());
    await fresh.settle();
    expect(fresh.state()).toMatchObject({ damaged: ["a"], trouble: null });
    await commit(files, "write a anew");
    await fresh.settle();
    expect(fresh.state().damaged).toEqual([]);
  });

  test("a file that the database has lost bytes of stays through every generation", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1");
    await copy.settle();
    const raw = await openDB(name);
    await raw.delete("pieces", [1, 0]);
    raw.close();
    for (let n = 0; n < 12; n++) {
      await commit(files, [{ op: "write", path: path("big"), data: word(400_000) }]);
      await copy.settle();
    }
    crash();
    expect(copy.state()).toMatchObject({ damaged: ["a"], trouble: null });
    expect([...place.logs.keys()].every((generation) => generation > 1)).toBe(true);
    expect((await newest(place))?.texts).toMatch(/^a=1 big=/);
  });

  test("a file that the database has lost bytes of stays when it gets another name, or was written again", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1; write b 2");
    await copy.settle();
    await commit(files, "rename a c; write b 3");
    const raw = await openDB(name);
    await raw.clear("pieces");
    raw.close();
    await copy.settle();
    expect(copy.state().damaged.toSorted()).toEqual(["b", "c"]);
    for (let n = 0; n < 6; n++) {
      await commit(files, [{ op: "write", path: path("big"), data: word(400_000) }]);
      await copy.settle();
    }
    crash();
    expect(copy.state()).toMatchObject({ trouble: null, kept: { generation: 2 } });
    expect((await newest(place))?.texts).toMatch(/^b=2 big=x+ c=1$/);
  });

  test("the same where another file has its old name", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1");
    await copy.settle();
    await commit(files, "rename a c; write a 2");
    const raw = await openDB(name);
    await raw.delete("pieces", [1, 0]);
    raw.close();
    await copy.settle();
    crash();
    expect(copy.state().damaged).toEqual(["c"]);
    expect((await newest(place))?.texts).toBe("a=2 c=1");
  });

  test("a database that has gone back, as after a power failure, freezes the copy until the human has decided", async () => {
    await commit(files, "write a 1");
    const raw = await openDB(name);
    const [record, counters] = [await raw.get("names", "a"), await raw.get("meta", "counters")];
    const copy = await copying(files, place);
    await copy.settle();
    await commit(files, "append a 2");
    await copy.settle();
    crash();
    await raw.put("names", record);
    await raw.delete("pieces", [1, 1]);
    await raw.put("meta", counters, "counters");
    raw.close();
    const again = await openIdbFiles({ name, now: () => 7 });
    await commit(again, "append a 3; write b 4");
    const next = await copying(again, place);
    await next.settle();
    crash();
    expect(next.frozen).toEqual([{ why: "other", message: "" }]);
    expect((await newest(place))?.texts).toBe("a=12");
    // The version numbers occur a second time, so after the decision everything is backed up from the beginning.
    const [revision] = copy.noted.slice(-1);
    await (await again.source()).settle(revision ? [revision] : []);
    const decided = await copying(again, place);
    await decided.settle();
    crash();
    expect(decided.frozen).toEqual([]);
    expect((await newest(place))?.texts).toBe("a=13 b=4");
    expect([...place.logs.keys()]).toEqual([1, 2]);
    again.close();
  });
});

describe("a database that shrinks", () => {
  test("by itself, while it is open: the copy keeps everything, and is frozen", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1; write b 2");
    await copy.settle();
    const raw = await openDB(name);
    await raw.delete("names", "a");
    raw.close();
    const logs = structuredClone([...place.logs]);
    await commit(files, "remove b");
    await copy.settle();
    expect(copy.frozen).toEqual([{ why: "partial", message: expect.stringContaining("files are listed") }]);
    expect([...place.logs]).toEqual(logs);
    expect(await copy.giveWay()).toBe(false);
    await commit(files, "write c 3");
    await copy.settle();
    expect([...place.logs]).toEqual(logs);
  });

  test("by what was removed on purpose: the copy follows, and what was a large part of it stays in the generation before", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1; write b 2; write c 3; write d 4; write e 5; write f 6");
    await copy.settle();
    await commit(files, "remove a");
    await copy.settle();
    expect([...place.logs.keys()]).toEqual([1]);
    await commit(files, "write a 1");
    await copy.settle();
    await commit(files, "remove a; remove b; remove c; remove d");
    await copy.settle();
    crash();
    expect([copy.frozen, [...place.logs.keys()]]).toEqual([[], [1, 2]]);
    expect((await findCopies(place, true)).copies.map(({ files: { length } }) => length)).toEqual([2, 6]);
  });
});

/** The same logs, as another worker finds them after this one has ended. */
function memoryOf(of: MemoryPlace): MemoryPlace {
  const other = memoryPlace();
  for (const [generation, bytes] of of.logs) other.logs.set(generation, bytes);
  return other;
}

describe("when it is written", () => {
  test("a second after a change; streamed text half a minute later", async () => {
    const streaming = agent("1");
    const copy = await copying(files, place, { canWait: (event) => sameActor(event.by, streaming) });
    await commit(files, "write a 1");
    await copy.settle();
    await copy.pass(60_000);
    await files.commit([{ op: "append", path: path("a"), data: "2" }], { durability: "relaxed", by: streaming });
    expect(copy.waits()).toEqual([30_000]);
    await commit(files, "write b 1");
    expect(copy.waits()).toEqual([1_000, 30_000]);
  });

  test("it rests twenty times as long as the last writing took, but ten minutes at most: the device may have slept meanwhile", async () => {
    let now = 0;
    for (const [took, rest] of [
      [4_000, 80_000],
      [8 * 3_600_000, 600_000],
    ] as const) {
      const there = memoryPlace();
      there.beforeWrite = () => {
        now += took;
        there.beforeWrite = () => undefined;
      };
      const copy = await copying(files, there, { now: () => now });
      await copy.settle();
      await commit(files, "write a 1");
      expect(copy.waits()).toEqual([rest]);
    }
  });

  test("a dialog that streams costs what it grows by, however long it is", async () => {
    const copy = await copying(files, place);
    await commit(files, [
      { op: "write", path: path("a"), data: word(500_000) },
      { op: "append", path: path("a"), data: "head", open: "h" },
    ]);
    await copy.settle();
    place.written = 0;
    for (let n = 0; n < 20; n++) {
      await commit(files, [{ op: "append", path: path("a"), data: word(400) }]);
      await copy.settle();
    }
    expect(place.written / (20 * 400)).toBeLessThan(2);
  });

  test("a log that is mostly out of date is begun anew; two generations stay, and no more is written than three times what changed", async () => {
    const copy = await copying(files, place);
    await commit(files, [{ op: "write", path: path("kept"), data: word(300_000) }]);
    await copy.settle();
    place.written = 0;
    for (let n = 0; n < 40; n++) {
      await commit(files, [{ op: "write", path: path("a"), data: word(200_000) }]);
      await copy.settle();
    }
    expect(copy.state().kept?.generation).toBeGreaterThan(2);
    expect(place.logs.size).toBe(2);
    expect(place.written / (40 * 200_000)).toBeLessThan(3);
    for (const log of place.logs.values()) expect(log.length).toBeLessThan(2 * 500_000 + 1_300_000);
  });

  test("what is read of a generation stays readable when the next one is begun, and is closed after the last reader", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1");
    await copy.settle();
    const readers = [copy.current(), copy.current()];
    await commit(files, [{ op: "write", path: path("b"), data: word(2_000_000) }]);
    await copy.settle();
    await commit(files, [{ op: "write", path: path("b"), data: "2" }]);
    await copy.settle();
    await copy.settle();
    expect(copy.state().kept?.generation).toBe(2);
    for (const reader of readers) {
      expect([...place.held]).toEqual([1, 2]);
      expect(reader?.files.map((file) => `${file.path}=${new TextDecoder().decode(reader.content(file))}`)).toEqual(["a=1"]);
      reader?.close();
      reader?.close();
    }
    expect([...place.held]).toEqual([2]);
  });

  test("a change whose time comes while another is being written is written after it", async () => {
    place.logs.set(1, new Uint8Array([1]));
    const [removing, goOn] = [gate(), gate()];
    const copy = await copying(files, {
      ...place,
      async remove(generation) {
        removing.open();
        await goOn.opened;
        await place.remove(generation);
      },
    });
    const first = copy.settle();
    await removing.opened;
    await commit(files, "write a 1");
    copy.fire(1_000);
    expect(copy.waits()).toEqual([]);
    goOn.open();
    await first;
    expect(copy.waits()).toEqual([1_000]);
    await copy.pass(1_000);
    crash();
    expect((await newest(place))?.texts).toBe("a=1");
  });
});

describe("when it can't be written", () => {
  test("at whichever write the disk is full: it says so, the project goes on, and later it is whole again", async () => {
    for (let failing = 1; ; failing++) {
      const own = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
      const there = memoryPlace();
      const copy = await copying(own, there);
      let writes = 0;
      there.beforeWrite = () => {
        if (++writes === failing) throw new DOMException("no room", "QuotaExceededError");
      };
      await commit(own, "write a 1; write b 2");
      await copy.settle();
      await commit(own, "append a 2; rename b c");
      await copy.settle();
      const passed = writes < failing;
      if (!passed && copy.state().trouble !== null) {
        expect(copy.state().trouble).toContain("no room");
        expect(copy.waits()).toContain(60_000);
        await copy.pass(60_000);
      }
      expect(copy.state().trouble).toBeNull();
      expect((await newest(memoryOf(there)))?.texts).toBe("a=12 c=2");
      expect(copy.reported).toEqual([]);
      own.close();
      if (passed) {
        expect(failing).toBeGreaterThan(4);
        break;
      }
    }
  });

  test("a generation that could not be begun leaves the one before as true as it was", async () => {
    let full = false;
    const copy = await copying(files, {
      ...place,
      async open(generation) {
        if (generation === 2 && !full) {
          full = true;
          await commit(files, "patch a h:other");
        }
        return place.open(generation);
      },
    });
    place.beforeWrite = (bytes) => {
      if (full && bytes > 500_000) throw new DOMException("no room", "QuotaExceededError");
    };
    await commit(files, "write a 1 h:two");
    for (let n = 0; n < 4; n++) {
      await commit(files, [{ op: "write", path: path("big"), data: word(900_000) }]);
      await copy.settle();
    }
    expect(copy.state().trouble).toContain("no room");
    await copy.pass(60_000);
    expect([copy.reported, copy.state().kept?.generation]).toEqual([[], 1]);
    crash();
    expect((await newest(memoryOf(place)))?.texts).toMatch(/^a=1other big=x/);
  });

  test("after a generation that could not be begun, a large part is removed to make room: the copy follows", async () => {
    let full = true;
    const copy = await copying(files, place);
    place.beforeWrite = (bytes) => {
      if (full && place.logs.size > 1 && bytes > 500_000) throw new DOMException("no room", "QuotaExceededError");
    };
    await commit(files, "write a 1; write b 2; write c 3; write d 4; write e 5; write f 6");
    for (let n = 0; n < 4; n++) {
      await commit(files, [{ op: "write", path: path("big"), data: word(900_000) }]);
      await copy.settle();
    }
    expect([copy.state().trouble, copy.state().kept?.generation]).toEqual([expect.stringContaining("no room"), 1]);
    full = false;
    await commit(files, "remove big; remove a; remove b; remove c");
    await copy.settle();
    await commit(files, "write d new");
    await copy.settle();
    crash();
    expect([copy.state().trouble, copy.state().kept?.generation]).toEqual([null, 2]);
    expect((await newest(memoryOf(place)))?.texts).toBe("d=new e=5 f=6");
  });

  test("the project needs the room while the first generation is written: that one goes", async () => {
    await commit(files, "write a 1; write b 2");
    const [begun, goOn] = [gate(), gate()];
    const copy = await copying(files, {
      ...place,
      async open(generation) {
        const file = await place.open(generation);
        begun.open();
        await goOn.opened;
        return file;
      },
    });
    const first = copy.settle();
    await begun.opened;
    const gave = copy.giveWay();
    goOn.open();
    expect(await gave).toBe(true);
    await first;
    expect([[...place.logs.keys()], copy.state().trouble]).toEqual([[], "the project needs the room"]);
    await copy.pass(60_000);
    expect([...place.logs.keys()]).toEqual([1]);
  });

  test("after a mistake of ours all is looked at again", async () => {
    const copy = await copying(files, place);
    await copy.settle();
    const mistake = new TypeError("x is no function");
    place.beforeWrite = () => {
      throw mistake;
    };
    await commit(files, "write a 1");
    await copy.settle();
    expect([copy.state().trouble, copy.reported]).toEqual(["x is no function", [mistake]]);
    place.beforeWrite = () => undefined;
    await copy.pass(60_000);
    expect(copy.state().trouble).toBeNull();
    expect(copy.current()?.files.map((file) => file.path)).toEqual(["a"]);
  });

  test("where a browser has no place for it", async () => {
    const copy = await copying(files, {
      ...place,
      generations: () => Promise.reject(new DOMException("not in a private window", "SecurityError")),
    });
    await commit(files, "write a 1");
    await copy.settle();
    expect(copy.state()).toEqual({ kept: null, trouble: "SecurityError: not in a private window", damaged: [] });
    expect(await texts(files)).toBe("a=1");
  });

  test("a tab that was frozen has the log open: another generation is begun", async () => {
    await (await copying(files, place)).settle();
    const next = await copying(files, place);
    await commit(files, "write a 1");
    await next.settle();
    expect(next.state().kept?.generation).toBe(2);
  });

  test("the same without a note of what is in it: it is tried again, and nothing is begun beside it", async () => {
    await (await copying(files, place)).settle();
    lastNoted.delete(place);
    const next = await copying(files, place);
    await next.settle();
    expect([next.state().trouble, [...place.logs.keys()]]).toEqual(["another tab has the backup open", [1]]);
    crash();
    await next.pass(60_000);
    expect(next.state()).toMatchObject({ trouble: null, kept: { generation: 1 } });
  });

  test("the project needs the room: the generation before goes, once", async () => {
    await (await copying(files, place)).settle();
    const copy = await copying(files, place);
    expect(await copy.giveWay()).toBe(false);
    await copy.settle();
    expect([...place.logs.keys()]).toEqual([1, 2]);
    crash();
    expect([await copy.giveWay(), await copy.giveWay()]).toEqual([true, false]);
    expect([...place.logs.keys()]).toEqual([2]);
  });
});

describe("when the database is gone", () => {
  test("what it held is in the copy, which takes no emptiness over", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1; write b 2 h:3");
    await copy.settle();
    await deleteDB(name);
    expect(await files.gone).toContain("another tab");
    await copy.settle();
    crash();
    expect((await newest(place))?.texts).toBe("a=1 b=23");
  });

  test("it is made anew from it: same texts, same times, numbers that were never given, and the copy goes on", async () => {
    const copy = await copying(files, place);
    await commit(files, "write a 1; write b 2 h:3");
    await files.commit([], { durability: "strict", index: new Uint8Array([1]) });
    const { id } = await files.readIndex();
    await copy.settle();
    const stats = await files.list();
    await deleteDB(name);
    crash();
    expect((await restore(place, name)).at(-1)).toBe(1);
    const again = await openIdbFiles({ name, now: () => 9 });
    expect(await again.list()).toEqual(stats);
    expect(await texts(again)).toBe("a=1 b=23");
    expect(await again.readIndex()).toEqual({ id: expect.not.stringMatching(id), entries: [] });
    const next = await copying(again, place);
    place.written = 0;
    await next.settle();
    expect(next.state().kept?.generation).toBe(1);
    expect(place.written).toBeLessThan(200);
    expect(await commit(again, "append b 4")).toBeGreaterThan(1_000);
    await next.settle();
    crash();
    expect((await newest(place))?.texts).toBe("a=1 b=234");
    again.close();
  });

  test("a large file is written and read back piece by piece, and a byte that is damaged in it is noticed", async () => {
    const copy = await copying(files, place);
    const bytes = new Uint8Array(5_300_000).map((_, at) => (at * 31) % 251);
    const pieces: number[] = [];
    place.beforeWrite = (length) => void pieces.push(length);
    await commit(files, [{ op: "write", path: path("large"), data: bytes }]);
    await copy.settle();
    expect(Math.max(...pieces)).toBe(1_000_000);
    files.close();
    await deleteDB(name);
    crash();
    await restore(place, name);
    files = await openIdbFiles({ name, now: () => 9 });
    const read = await files.read(path("large"));
    expect(read?.bytes.length === bytes.length && read.bytes.every((byte, at) => byte === bytes[at])).toBe(true);
    const log = place.logs.get(1);
    if (!log) throw new Error("there is no log");
    log[4_000_000] = (log[4_000_000] ?? 0) ^ 1;
    expect((await newest(place))?.copy.files ?? []).toEqual([]);
  });

  test("a restore that is stopped leaves nothing that could be taken for the project", async () => {
    const copy = await copying(files, place);
    await commit(
      files,
      [1, 2, 3].map((n) => ({ op: "write", path: path(`f${n}`), data: word(3_000_000) }) as const),
    );
    await copy.settle();
    files.close();
    crash();
    const stop = new AbortController();
    stop.abort(new DOMException("stopped", "AbortError"));
    await expect(restore(place, name, stop.signal)).rejects.toMatchObject({ name: "AbortError" });
    const after = await openIdbFiles({ name, now: () => 0 });
    expect(after.empty).toBe(true);
    after.close();
    await restore(place, name);
    files = await openIdbFiles({ name, now: () => 0 });
    expect((await files.list()).map(({ size }) => size)).toEqual([3_000_000, 3_000_000, 3_000_000]);
  });

  test("a project that was begun anew keeps the copy of the old one, until its own second generation", async () => {
    await commit(files, "write old 1");
    await (await copying(files, place)).settle();
    files.close();
    await deleteDB(name);
    crash();
    files = await openIdbFiles({ name, now: () => 0 });
    const [old] = (await findCopies(place, true)).copies;
    await (await files.source()).settle(old ? [old.revision] : []);
    await commit(files, "write new 1");
    await (await copying(files, place)).settle();
    crash();
    expect([...place.logs.keys()]).toEqual([1, 2]);
    expect((await newest(place))?.texts).toBe("new=1");
    files.close();
    files = await openIdbFiles({ name, now: () => 0 });
    const copy = await copying(files, place);
    for (let n = 0; n < 6; n++) {
      await commit(files, [{ op: "write", path: path("new"), data: word(500_000) }]);
      await copy.settle();
    }
    expect([...place.logs.keys()]).toEqual([2, 3]);
  });
});
