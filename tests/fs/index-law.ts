import { describe, expect, test, vi } from "vitest";
import type { CommitResult, Files } from "../../src/fs/files.ts";
import { patienceMs } from "../../src/fs/in-order.ts";
import { StorageError } from "../../src/fs/storage-error.ts";
import type { Open } from "./contract.ts";
import { changes, commit, everything, path } from "./notation.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const relaxed = { durability: "relaxed" } as const;

/** The entries in the range, such as `2=one 3=two`. */
async function entries(files: Files, range?: Parameters<Files["readIndex"]>[0]): Promise<string> {
  const found = await files.readIndex(range);
  return found.entries.map((entry) => `${entry.version}=${new TextDecoder().decode(entry.bytes)}`).join(" ");
}

/** The contract of `Files` about the index. */
export function indexLaw(make: () => Open): void {
  const add = (files: Files, text: string, entry: string): Promise<CommitResult> =>
    files.commit(changes(text), { ...relaxed, index: bytes(entry) });

  /** Runs `body` with a function that opens handles of one project. They are closed at the end. */
  function law(title: string, body: (files: Files, open: () => Promise<Files>) => Promise<void>): void {
    test(title, async () => {
      const [openProject, handles]: [Open, Files[]] = [make(), []];
      const open = async () => {
        const handle = await openProject(() => 0);
        handles.push(handle);
        return handle;
      };
      await body(await open(), open);
      for (const handle of handles) handle.close();
    });
  }

  describe("the index", () => {
    law("is empty at first, with an id of its own that stays", async (files, open) => {
      const { id, entries: none } = await files.readIndex();
      expect([id, none]).toEqual([expect.stringMatching(/\S/), []]);
      await commit(files, "write a 1");
      expect(await files.readIndex()).toEqual({ id, entries: [] });
      expect(await (await open()).readIndex()).toEqual({ id, entries: [] });
      expect((await (await make()(() => 0)).readIndex()).id).not.toBe(id);
    });

    law("has what commits carried, in their order, under their numbers", async (files, open) => {
      const other = await open();
      expect(await add(files, "write a 1", "one")).toEqual({ ok: true, version: 1 });
      await commit(files, "append a 2");
      await add(other, "append a 3; write b 1", "three");
      await add(files, "remove b", "");
      for (const each of [files, other]) expect(await entries(each)).toBe("1=one 3=three 4=");
    });

    law("is in the order of the commits, whichever handles make them", async (files, open) => {
      const other = await open();
      const results = await Promise.all(Array.from({ length: 30 }, (_, n) => add(n % 2 ? other : files, `write f${n} x`, `f${n}`)));
      const expected = results.map((result, n) => [result.ok ? result.version : 0, `f${n}`] as const).toSorted(([x], [y]) => x - y);
      expect(await entries(files)).toBe(expected.map(([version, text]) => `${version}=${text}`).join(" "));
    });

    law("has nothing of a commit that failed", async (files) => {
      await add(files, "write a 1", "one");
      const old = await files.lead();
      const epoch = await files.lead();
      const options = { ...relaxed, index: bytes("lost") };
      const failures = [
        files.commit(changes("write b 1; remove c"), options),
        files.commit(changes("write b 1"), { ...options, expect: [{ path: path("a"), version: null }] }),
        files.commit(changes("write b 1"), { ...options, epoch: old }),
      ];
      expect((await Promise.all(failures)).map((result) => result.ok)).toEqual([false, false, false]);
      expect(await entries(files)).toBe("1=one");
      expect(await files.commit(changes("write b 1"), { ...options, epoch })).toEqual({ ok: true, version: 2 });
      expect(await entries(files)).toBe("1=one 2=lost");
    });

    law("is read from a version on, and so many at most", async (files) => {
      for (const n of [1, 2, 3, 4]) await add(files, "write a 1", `e${n}`);
      expect(await entries(files, { after: 0 })).toBe("1=e1 2=e2 3=e3 4=e4");
      expect(await entries(files, { after: 2 })).toBe("3=e3 4=e4");
      expect(await entries(files, { after: 2.5 })).toBe("3=e3 4=e4");
      expect(await entries(files, { after: 4 })).toBe("");
      expect(await entries(files, { limit: 2 })).toBe("1=e1 2=e2");
      expect(await entries(files, { after: 1, limit: 2 })).toBe("2=e2 3=e3");
      expect(await entries(files, { after: 3, limit: 9 })).toBe("4=e4");
      for (const limit of [0, -1]) expect(await entries(files, { limit })).toBe("");
    });

    law("an entry alone is a commit, of which nobody is told", async (files) => {
      const heard: unknown[] = [];
      files.watch((events) => heard.push(...events));
      expect(await add(files, "", "alone")).toEqual({ ok: true, version: 1 });
      expect([await entries(files), await files.list(), await files.isNew(), heard]).toEqual(["1=alone", [], false, []]);
    });

    law("an entry is the storage's own when it is stored, and the caller's when it is read", async (files) => {
      const given = new Uint8Array([0, 1, 2, 3]).subarray(1, 3);
      const storing = files.commit([], { ...relaxed, index: given });
      given.fill(9);
      await storing;
      const [read] = (await files.readIndex()).entries;
      expect(read?.bytes).toEqual(new Uint8Array([1, 2]));
      expect(read?.bytes.buffer.byteLength).toBe(2);
      read?.bytes.fill(9);
      expect((await files.readIndex()).entries[0]?.bytes).toEqual(new Uint8Array([1, 2]));
    });

    law("survives its handle", async (files, open) => {
      const stay = await open();
      await add(files, "write a 1", "one");
      const state = await files.readIndex();
      files.close();
      expect(await (await open()).readIndex()).toEqual(state);
      expect(await stay.readIndex()).toEqual(state);
      await expect(files.readIndex()).rejects.toBeInstanceOf(StorageError);
      await expect(files.readIndex()).rejects.toMatchObject({ kind: "closed" });
      expect(await files.restartIndex([])).toMatchObject({ ok: false, failure: { kind: "broken" } });
    });

    describe("begun again", () => {
      law("has another id and these entries alone, for every handle, and goes on behind them", async (files, open) => {
        const other = await open();
        await add(files, "write a 1", "old");
        await add(files, "write a 2", "older");
        const [before, state] = [await files.readIndex(), await everything(files)];
        expect(await other.restartIndex(["a", "b", "c", "d"].map(bytes))).toEqual({ ok: true, version: 3 });
        expect(await entries(files)).toBe("2.25=a 2.5=b 2.75=c 3=d");
        await add(files, "append a 3", "e");
        const after = await files.readIndex();
        expect(after.id).not.toBe(before.id);
        expect(await everything(other)).not.toEqual(state);
        expect(await other.readIndex()).toEqual(after);
        expect(await (await open()).readIndex()).toEqual(after);
        expect(await entries(other, { after: 2.5 })).toBe("2.75=c 3=d 4=e");
        expect(await entries(other, { after: 2 })).toBe("2.25=a 2.5=b 2.75=c 3=d 4=e");
      });

      law("changes no file and tells nobody, and the next events are not waited for", async (files, open) => {
        const other = await open();
        const heard: unknown[] = [];
        other.watch((events) => heard.push(...events.map((event) => event.kind)));
        await commit(files, "write a 1");
        await expect.poll(() => heard).toEqual(["changed"]);
        const state = await everything(files);
        const timers = vi.spyOn(globalThis, "setTimeout");
        await files.restartIndex([bytes("a"), bytes("b")]);
        expect(await everything(files)).toEqual(state);
        await commit(files, "append a 2");
        await expect.poll(() => heard).toEqual(["changed", "changed"]);
        // If its number were missing, the events behind it would have waited for it.
        expect(timers.mock.calls.filter(([, ms]) => ms === patienceMs)).toEqual([]);
        timers.mockRestore();
      });

      law("with nothing is empty, and each time it is another one", async (files) => {
        await add(files, "write a 1", "old");
        const ids = [(await files.readIndex()).id];
        for (const version of [2, 3]) {
          expect(await files.restartIndex([])).toEqual({ ok: true, version });
          const { id, entries: none } = await files.readIndex();
          expect(none).toEqual([]);
          ids.push(id);
        }
        expect(new Set(ids).size).toBe(3);
      });

      law("by the one writer alone, where it says which one it is", async (files, open) => {
        const old = await files.lead();
        const epoch = await (await open()).lead();
        await add(files, "write a 1", "one");
        const state = await files.readIndex();
        expect(await files.restartIndex([bytes("x")], { epoch: old })).toEqual({ ok: false, failure: { kind: "fenced", epoch } });
        expect(await files.restartIndex([bytes("x")], { epoch: epoch + 1 })).toEqual({ ok: false, failure: { kind: "fenced", epoch } });
        expect(await files.readIndex()).toEqual(state);
        expect(await files.restartIndex([bytes("x")], { epoch })).toEqual({ ok: true, version: 2 });
        expect(await entries(files)).toBe("2=x");
      });

      law("with many entries keeps their order, and each has a version of its own", async (files) => {
        await commit(files, "write a 1");
        const many = Array.from({ length: 3_000 }, (_, n) => `${n}`);
        await files.restartIndex(many.map(bytes));
        const found = (await files.readIndex()).entries;
        expect(found.map((entry) => new TextDecoder().decode(entry.bytes))).toEqual(many);
        const versions = found.map(({ version }) => version);
        expect(versions).toEqual([...new Set(versions)].toSorted((x, y) => x - y));
        expect([versions.at(-1), versions.every((version) => version > 1)]).toEqual([2, true]);
        const paged: string[] = [];
        for (let after = 0; ; ) {
          const page = (await files.readIndex({ after, limit: 700 })).entries;
          if (page.length === 0) break;
          paged.push(...page.map((entry) => new TextDecoder().decode(entry.bytes)));
          after = page.at(-1)?.version ?? Infinity;
        }
        expect(paged).toEqual(many);
      });
    });
  });
}
