import { deleteDB } from "idb";
import { openIdbFiles } from "../../../fs/idb.ts";
import { openIdbHistoryStore } from "../../../fs/history/idb-store.ts";
import type { KnownProject } from "../../../protocol/index.ts";
import { projectName } from "../../../protocol/project-name.ts";
import type { NewProject } from "./new-project.ts";
import { openRegister } from "./register.ts";

/** Browser locks, shared by the workers of an origin. A worker's locks are released when it ends, in whatever way. */
export type Locks = Pick<LockManager, "request">;

const historyOf = (id: string) => `${projectName(id)}-history`;
const lockOf = (id: string) => `${projectName(id)}-making`;

/**
 * Creates another project in this browser, with its own databases. It is registered before they are created, so that `projects` can remove the
 * rest of an unfinished project.
 */
export async function newProject(name: string, locks: Locks = navigator.locks): Promise<NewProject> {
  const id = crypto.randomUUID().replaceAll("-", "").slice(0, 12);
  const release = await hold(lockOf(id), locks);
  const register = await openRegister().catch((error: unknown) => {
    release();
    throw error;
  });
  const opened: { close(): void }[] = [];
  const end = () => {
    for (const each of [...opened, register]) each.close();
    release();
  };
  const discard = async () => {
    for (const each of opened) each.close();
    // What can't be removed now is removed when the projects are listed next, because it is incomplete and no one holds its lock.
    try {
      await removeProject(id);
      await register.forget(id);
    } finally {
      end();
    }
  };
  try {
    await register.put({ id, name, state: "making" });
    const files = await openIdbFiles({ name: projectName(id), now: () => Date.now() });
    opened.push(files);
    const history = await openIdbHistoryStore(historyOf(id));
    opened.push(history);
    return {
      id,
      files,
      history,
      async close() {
        await register.put({ id, name, state: "whole" });
        end();
      },
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

/**
 * The projects besides the first one, including those that only their databases reveal. Removes the rest of a project whose creation was
 * interrupted by closing its tab.
 */
export async function projects(locks: Locks = navigator.locks): Promise<readonly KnownProject[]> {
  const register = await openRegister();
  try {
    const entries = await register.all();
    for (const { id, state } of entries) {
      if (state === "whole") continue;
      await locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
        // Another tab is creating it right now.
        if (lock === null) return;
        // Its creator may have finished and released the lock since the list was read.
        if ((await register.all()).some((entry) => entry.id === id && entry.state === "whole")) return;
        await removeProject(id);
        await register.forget(id);
      });
    }
    const known = new Map((await register.all()).map(({ id, name, state }) => [id, { name, state }]));
    for (const id of await stored()) if (!known.has(id)) known.set(id, { name: "", state: "whole" });
    return [...known].flatMap(([id, { name, state }]) => (state === "whole" ? [{ id, name: name === "" ? null : name }] : []));
  } finally {
    register.close();
  }
}

/** The ids of the projects whose files this browser has. None if it doesn't list its databases. */
async function stored(): Promise<string[]> {
  const prefix = projectName("x").slice(0, -1);
  const names = (await indexedDB.databases?.()) ?? [];
  return names.flatMap(({ name = "" }) => {
    const id = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    return /^[a-z0-9]{12}$/.test(id) ? [id] : [];
  });
}

async function removeProject(id: string): Promise<void> {
  await Promise.all([deleteDB(projectName(id)), deleteDB(historyOf(id))]);
}

/** Removes a project's databases, and then its entry in the register. */
export async function forgetProject(id: string): Promise<void> {
  await removeProject(id);
  const register = await openRegister();
  try {
    await register.forget(id);
  } finally {
    register.close();
  }
}

/** Holds a lock until the returned function is called or this worker ends. */
function hold(name: string, locks: Locks): Promise<() => void> {
  return new Promise((resolve, reject) => {
    locks.request(name, () => new Promise<void>((release) => resolve(release))).catch(reject);
  });
}
