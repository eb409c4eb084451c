import { memoryFiles, memoryStore } from "../../src/fs/memory.ts";
import { filesContract } from "./contract.ts";

filesContract("memory", () => {
  const store = memoryStore();
  return async (now) => memoryFiles({ now, store });
});
