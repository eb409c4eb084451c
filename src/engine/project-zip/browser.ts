import { openIdbFiles } from "../../fs/idb.ts";
import { openIdbHistoryStore } from "../../fs/history/idb-store.ts";
import { projectName } from "../project-name.ts";
import type { NewProject } from "./new-project.ts";

/** A project of its own in this browser: databases that no other one has. */
export async function newProject(): Promise<NewProject> {
  const id = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  const name = projectName(id);
  const historyName = `${name}-history`;
  const files = await openIdbFiles({ name, now: () => Date.now() });
  const history = await openIdbHistoryStore(historyName).catch(async (error: unknown) => {
    files.close();
    await remove(name);
    throw error;
  });
  const close = async () => {
    files.close();
    history.close();
  };
  return {
    id,
    files,
    history,
    close,
    async discard() {
      await close();
      await Promise.all([remove(name), remove(historyName)]);
    },
  };
}

function remove(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener("success", () => resolve());
    request.addEventListener("error", () => reject(request.error ?? new Error(`${name} can't be deleted`)));
  });
}
