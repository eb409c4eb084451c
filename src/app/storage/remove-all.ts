import { deleteDB } from "idb";
import { removalDone, removalKey } from "./removal.ts";

/** What everything of Vibey's is called by, wherever a browser keeps it. */
const isOurs = (name: string) => name.startsWith("vibey");

/** What another tab keeps open can't be removed. */
export type RemovalStep = { readonly kind: "waits-for-tabs" } | { readonly kind: "removes" };

/** The parts of the browser that are emptied. */
export interface RemovalWorld {
  readonly locks: Pick<LockManager, "query">;
  readonly databases: Pick<IDBFactory, "databases">;
  /** Null: this browser has no private files. */
  readonly files: () => Promise<FileSystemDirectoryHandle | null>;
  readonly caches: Pick<CacheStorage, "keys" | "delete">;
  /** The service worker of this address. */
  readonly worker: () => Promise<Pick<ServiceWorkerRegistration, "scope" | "unregister"> | undefined>;
  readonly stores: readonly Storage[];
  readonly pause: () => Promise<void>;
}

/**
 * Removes every project, key, setting, draft and kept file of Vibey's from this browser, in an order in which a page that is closed in the
 * middle is followed by one that goes on. Waits until no other tab has a project open. Rejects with what the browser said.
 */
export async function removeAll(world: RemovalWorld, tell: (step: RemovalStep) => void): Promise<void> {
  while (await isOpenElsewhere(world)) {
    tell({ kind: "waits-for-tabs" });
    await world.pause();
  }
  tell({ kind: "removes" });
  const databases = (await world.databases.databases()).flatMap(({ name = "" }) => (isOurs(name) ? [name] : []));
  for (const name of databases) await deleteDB(name, { blocked: () => tell({ kind: "waits-for-tabs" }) });
  await removeFiles(await world.files());
  const worker = await world.worker();
  if (worker) {
    for (const name of await world.caches.keys()) if (name.endsWith(worker.scope)) await world.caches.delete(name);
    await worker.unregister();
  }
  for (const store of world.stores) for (const name of Object.keys(store)) if (isOurs(name) && name !== removalKey) store.removeItem(name);
  removalDone();
}

/** Every tab holds a lock of its project's engine, or waits for it. */
async function isOpenElsewhere({ locks }: RemovalWorld): Promise<boolean> {
  const { held = [], pending = [] } = await locks.query();
  return [...held, ...pending].some(({ name = "" }) => name.startsWith("vibey-project") && name.endsWith("-engine"));
}

async function removeFiles(root: FileSystemDirectoryHandle | null): Promise<void> {
  if (root === null) return;
  const names: string[] = [];
  for await (const name of root.keys()) if (isOurs(name)) names.push(name);
  for (const name of names) await root.removeEntry(name, { recursive: true });
}

/** The browser itself. */
export const browserWorld = (): RemovalWorld => ({
  locks: navigator.locks,
  databases: indexedDB,
  async files() {
    try {
      return (await navigator.storage?.getDirectory?.()) ?? null;
    } catch (error) {
      // Private windows of some browsers have none.
      if (error instanceof DOMException && ["SecurityError", "UnknownError", "NotFoundError"].includes(error.name)) return null;
      throw error;
    }
  },
  caches,
  worker: async () => navigator.serviceWorker?.getRegistration("./"),
  stores: [localStorage, sessionStorage],
  pause: () => new Promise((resolve) => setTimeout(resolve, 500)),
});
