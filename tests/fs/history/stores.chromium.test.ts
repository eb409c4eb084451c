import { expect, test } from "vitest";
import { openHistory } from "../../../src/fs/history/history.ts";
import { openIdbHistoryStore } from "../../../src/fs/history/idb-store.ts";
import { path } from "../notation.ts";
import { historyStoreContract } from "./contract.ts";

historyStoreContract("IndexedDB, in Chromium", () => {
  const name = crypto.randomUUID();
  return () => openIdbHistoryStore(name);
});

test("Chromium compresses and names objects as git does", async () => {
  const store = await openIdbHistoryStore(crypto.randomUUID());
  const history = await openHistory(store);
  const bytes = new TextEncoder().encode("hello\n");
  const content = { path: path("a"), version: 1, mtime: 1, size: 6, bytes };
  const author = { name: "A", address: "a@b" };
  const files = [{ path: path("a"), read: async () => content }];
  const done = await history.commit({ author, time: 0, summary: () => "x", trailers: [], files, notes: [] });
  // The id that `git hash-object` prints.
  const oid = "ce013625030ba8dba906f756967f9e9ca394464a";
  expect(done.ok && done.record && [...(await history.filesAt(done.record))]).toEqual([["a", oid]]);
  expect(await history.bytes(oid)).toEqual(bytes);
  store.close();
});
