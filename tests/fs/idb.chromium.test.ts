import { deleteDB } from "idb";
import { describe, expect, test } from "vitest";
import { cdp } from "vitest/browser";
import { type IdbFiles, openIdbFiles } from "../../src/fs/idb.ts";
import { filesContract } from "./contract.ts";
import { changes, commit, everything, path, textOf } from "./notation.ts";
import type { Order } from "./otherContext.worker.ts";

filesContract("IndexedDB in Chromium", () => {
  const name = crypto.randomUUID();
  return (now) => openIdbFiles({ name, now });
});

describe("a page and a worker on one project", () => {
  test("all appends land once, both hear of all of them in the same order", async () => {
    const name = crypto.randomUUID();
    const here = await openIdbFiles({ name, now: () => 0 });
    await commit(here, "write a _");
    const heard: number[] = [];
    here.watch((events) => heard.push(...events.map((event) => (event.kind === "changed" ? event.version : 0))));
    const worker = new Worker(new URL("./otherContext.worker.ts", import.meta.url), { type: "module" });
    const there = (order: Order): Promise<unknown> =>
      new Promise((resolve, reject) => {
        worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => resolve(data), { once: true });
        worker.addEventListener("error", (event) => reject(new Error(event.message)), { once: true });
        worker.postMessage(order);
      });

    expect(await there({ do: "open", name })).toBe("opened");
    const remote = there({ do: "append", times: 60 });
    await Promise.all(Array.from({ length: 60 }, (_, n) => commit(here, `append a h${n},`)));
    expect(await remote).toBe("appended");

    const words = (await textOf(here, path("a"))).split(",").slice(0, -1);
    expect(words.filter((word) => word.startsWith("h"))).toEqual(Array.from({ length: 60 }, (_, n) => `h${n}`));
    expect(words.filter((word) => word.startsWith("w"))).toEqual(Array.from({ length: 60 }, (_, n) => `w${n}`));
    await expect.poll(() => heard.length, { timeout: 5000 }).toBe(120);
    expect(heard).toEqual(Array.from({ length: 120 }, (_, n) => n + 2));
    await expect.poll(() => there({ do: "heard" }), { timeout: 5000 }).toEqual(heard);
    worker.terminate();

    await commit(here, "append a x");
    expect((await here.list())[0]?.version).toBe(122);
    here.close();
  });

  test("a worker that is killed in the middle of a commit leaves the project whole", async () => {
    const name = crypto.randomUUID();
    const here = await openIdbFiles({ name, now: () => 0 });
    await commit(here, "write a _");
    for (let round = 0; round < 5; round++) {
      const worker = new Worker(new URL("./otherContext.worker.ts", import.meta.url), { type: "module" });
      await new Promise<void>((resolve) => {
        let answers = 0;
        worker.addEventListener("message", () => {
          answers += 1;
          if (answers === 1) worker.postMessage({ do: "append", times: 10_000 } satisfies Order);
        });
        here.watch(() => resolve());
        worker.postMessage({ do: "open", name } satisfies Order);
      });
      worker.terminate();
      await commit(here, "append a x,");
    }
    const content = await here.read(path("a"));
    expect(content?.bytes.length).toBe(content?.size);
    expect((await textOf(here, path("a"))).split(",").filter((word) => word === "x")).toHaveLength(5);
    here.close();
  });
});

test("when the database is deleted under it, a handle gives way and says so", async () => {
  const name = crypto.randomUUID();
  const files = await openIdbFiles({ name, now: () => 0 });
  await commit(files, "write a 1");
  await deleteDB(name);
  expect(await files.commit(changes("append a 2"), { durability: "strict" })).toMatchObject({ ok: false, failure: { kind: "broken" } });
  await expect(files.list()).rejects.toMatchObject({ name: "StorageError", kind: "closed" });
});

describe("a full disk", () => {
  const session = cdp();
  const quota = (bytes?: number): Promise<unknown> =>
    session.send("Storage.overrideQuotaForOrigin", { origin: location.origin, ...(bytes === undefined ? {} : { quotaSize: bytes }) });

  test.each([300_000, 5_000_000])(
    "refuses a commit of some %d bytes as full, keeps what is there, and takes it when there is room",
    async (size) => {
      const files: IdbFiles = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
      await commit(files, "write a one");
      const state = await everything(files);
      const data = crypto.getRandomValues(new Uint8Array(60_000));
      const many = Array.from({ length: size / 60_000 }, (_, n) => ({ op: "write" as const, path: path(`big/${n}`), data }));
      await quota(1000);
      try {
        const result = await files.commit([...changes("append a two"), ...many], { durability: "strict" });
        expect(result).toMatchObject({ ok: false, failure: { kind: "full", message: expect.stringContaining("QuotaExceededError") } });
        expect(await everything(files)).toEqual(state);
      } finally {
        await quota();
      }
      await commit(files, [...changes("append a two"), ...many]);
      expect(await textOf(files, path("a"))).toBe("onetwo");
      files.close();
    },
  );
});
