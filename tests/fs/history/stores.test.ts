import { openIdbHistoryStore } from "../../../src/fs/history/idb-store.ts";
import { historyMemory, memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import { historyStoreContract } from "./contract.ts";

historyStoreContract("memory", () => {
  const memory = historyMemory();
  return async () => memoryHistoryStore(memory);
});

historyStoreContract("IndexedDB, imitated", () => {
  const name = crypto.randomUUID();
  return () => openIdbHistoryStore(name);
});
