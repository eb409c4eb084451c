import { openIdbFiles } from "../../src/fs/idb.ts";
import { filesContract } from "./contract.ts";

filesContract("IndexedDB, imitated", () => {
  const name = crypto.randomUUID();
  return (now) => openIdbFiles({ name, now });
});
