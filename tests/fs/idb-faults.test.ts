import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Files } from "../../src/fs/files.ts";
import { openIdbFiles } from "../../src/fs/idb.ts";
import { StorageError } from "../../src/fs/storage-error.ts";
import { changes, commit, everything, path } from "./notation.ts";
import { spyOnRequests } from "./requests.ts";

/** Uses every store, with every kind of request. */
const before = "write a 1 2 h:3; write b 4; write c 5 6; append c 7";
const scenario = "append a 8; patch a h:9; write b 10 t:11; rename b d; remove c; write e 12; append e 13; fold a; fold e";

type Fault = (transaction: IDBTransaction, run: () => IDBRequest) => IDBRequest;

/** Faults of a request or its transaction, and the failure that a commit then reports. */
const faults: [title: string, kind: "full" | "broken", fault: Fault][] = [
  [
    "a request throws for lack of space",
    "full",
    () => {
      throw new DOMException("no space", "QuotaExceededError");
    },
  ],
  [
    "a request throws for another reason",
    "broken",
    () => {
      throw new DOMException("no clone", "DataCloneError");
    },
  ],
  [
    "the transaction is aborted for lack of space",
    "full",
    (transaction, run) => after(run(), () => abortAs(transaction, "QuotaExceededError")),
  ],
  [
    "the transaction is aborted for another reason",
    "broken",
    (transaction, run) => after(run(), () => abortAs(transaction, "UnknownError")),
  ],
  [
    "a request fails",
    "broken",
    (transaction, run) => {
      run();
      return transaction.objectStore("meta").add("again", "format");
    },
  ],
];

describe.each(faults)("when %s, a commit is %s", (_title, kind, fault) => {
  let files: Files;
  let name: string;
  beforeEach(async () => {
    name = crypto.randomUUID();
    files = await openIdbFiles({ name, now: () => 0 });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    files.close();
  });

  test("and nothing was changed, at whichever request it goes wrong", async () => {
    await commit(files, before);
    const state = await whole(files);
    const events: unknown[] = [];
    files.watch((each) => events.push(each));
    let failed = 0;
    for (let n = 1; ; n++) {
      const requests = failing(n, fault);
      const result = await files.commit(changes(scenario), { durability: "strict", index: new Uint8Array([1]) });
      vi.restoreAllMocks();
      if (result.ok) {
        expect(requests()).toBeLessThan(n);
        break;
      }
      failed++;
      expect(result.failure.kind).toBe(kind);
      expect(await whole(files)).toEqual(state);
      const again = await openIdbFiles({ name, now: () => 0 });
      expect(await whole(again)).toEqual(state);
      again.close();
      expect(events).toEqual([]);
    }
    expect(failed).toBeGreaterThan(10);
    expect((await everything(files)).texts).toBe("a=1298 d=1011 e=1213");
    expect((await files.readIndex()).entries).toHaveLength(1);
    await commit(files, "patch a h:_; append d 14; remove e");
    expect((await everything(files)).texts).toBe("a=128 d=101114");
  });

  test("and lead rejects, with the epoch as it was", async () => {
    const epoch = await files.lead();
    failing(1, fault);
    const lead = files.lead();
    await expect(lead).rejects.toBeInstanceOf(StorageError);
    await expect(lead).rejects.toMatchObject({ kind });
    vi.restoreAllMocks();
    expect(await files.lead()).toBe(epoch + 1);
  });

  test("and a project that could not be made can be made later", async () => {
    const other = crypto.randomUUID();
    let failed = 0;
    for (let n = 1; ; n++) {
      failing(n, fault);
      const opened = await openIdbFiles({ name: other, now: () => 0 }).catch((error: unknown) => error);
      vi.restoreAllMocks();
      if (!(opened instanceof Error)) break;
      failed++;
      expect(opened).toBeInstanceOf(StorageError);
      expect(opened).toMatchObject({ kind });
    }
    expect(failed).toBeGreaterThan(1);
    const made = await openIdbFiles({ name: other, now: () => 0 });
    await commit(made, "write a 1");
    made.close();
  });
});

test.each(["get", "getAll"] as const)("when a reading %s fails, the read rejects and never says that nothing is there", async (method) => {
  const files = await openIdbFiles({ name: crypto.randomUUID(), now: () => 0 });
  await commit(files, "write a 1");
  const spy = vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
    throw new DOMException("the disk is gone", "UnknownError");
  });
  await expect(files.read(path("a"))).rejects.toMatchObject({
    name: "StorageError",
    kind: "broken",
    message: expect.stringContaining("the disk is gone"),
  });
  spy.mockRestore();
  files.close();
});

const whole = async (files: Files) => ({ ...(await everything(files)), index: await files.readIndex() });

/** Makes the n-th write request from now on fail. The returned function tells how many there were. */
function failing(n: number, fault: Fault): () => number {
  let requests = 0;
  spyOnRequests(["put", "delete"], (_method, store, run) => {
    requests++;
    return requests === n ? fault(store.transaction, run) : run();
  });
  return () => requests;
}

/** Runs `then` after the request has succeeded: the latest moment before the commit. */
function after(request: IDBRequest, then: () => void): IDBRequest {
  request.addEventListener("success", then);
  return request;
}

/** Simulates what a browser does when a commit finds the disk full. fake-indexeddb has a method for it. */
function abortAs(transaction: IDBTransaction, reason: string): void {
  const abort: (this: IDBTransaction, name: string) => void = Reflect.get(transaction, "_abort");
  abort.call(transaction, reason);
}
