import { StorageError } from "../storage-error.ts";
import type { HistoryStore } from "./store.ts";

const branch = "refs/heads/main";

/**
 * The files of the repository as git wants to find them in its folder (`.git`, or `history.git` for one without a working tree).
 * The branch is the last one, so that a copy that is cut short has no commit whose objects are missing. A history without a commit has no files.
 */
export async function* exportFiles(store: HistoryStore): AsyncGenerator<{ readonly path: string; readonly bytes: Uint8Array }> {
  const encoder = new TextEncoder();
  const head = await store.head();
  if (!head) return;
  yield { path: "HEAD", bytes: encoder.encode(`ref: ${branch}\n`) };
  yield { path: "config", bytes: encoder.encode("[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n") };
  for (const oid of await store.oids()) {
    const bytes = await store.object(oid);
    if (!bytes) throw new StorageError("damaged", `object ${oid} is not in the history`);
    yield { path: `objects/${oid.slice(0, 2)}/${oid.slice(2)}`, bytes };
  }
  yield { path: branch, bytes: encoder.encode(`${head.id}\n`) };
}
