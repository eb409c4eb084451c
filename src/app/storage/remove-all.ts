import { deleteDB } from "idb";
import { engineLock, projectName } from "../../protocol/project-name.ts";
import * as t from "../texts/removal.ts";
import { endRemoval, removalKey, removalWanted } from "./removal.ts";

/** Name prefixes of everything that Vibey stores: databases and private files, local storage keys, and one key with another name. */
const ours = { stored: "vibey-", noted: "vibey ", notedBefore: "vibey-run-panes" } as const;

/** `waits`: another tab has a project open, and nothing was removed. `blocked`: it has a database open that is to be removed now. */
export type RemovalStep = "waits" | "removes" | "blocked";

/** `kept`: the user has changed their mind, or another page has done it. Nothing was removed here. */
export type RemovalEnd =
  | { readonly kind: "removed" }
  | { readonly kind: "kept" }
  | { readonly kind: "failed"; readonly left: readonly Left[] };

export interface Left {
  readonly what: string;
  readonly why: string;
}

/** The parts of the browser that are cleared. */
export interface RemovalWorld {
  readonly locks: Pick<LockManager, "query" | "request">;
  /** The names of all databases of the origin; null if the browser doesn't report them. */
  readonly databases: () => Promise<readonly string[] | null>;
  /** Null: this browser has no private files. */
  readonly files: () => Promise<FileSystemDirectoryHandle | null>;
  readonly caches: Pick<CacheStorage, "keys" | "delete">;
  /** Vibey's own address, and the service worker for exactly that address. */
  readonly scope: string;
  readonly worker: () => Promise<Pick<ServiceWorkerRegistration, "unregister"> | undefined>;
  readonly stores: readonly Storage[];
  readonly pause: () => Promise<void>;
}

/**
 * Removes every project, key, setting, draft and stored file of Vibey from this browser. Only one page does it at a time, and only while the user
 * wants it. It waits until no other tab has a project open, and keeps every project closed until it is done. If something can't be removed,
 * everything else still is, and the next start tries again.
 */
export function removeAll(world: RemovalWorld, tell: (step: RemovalStep) => void): Promise<RemovalEnd> {
  return world.locks.request("vibey-removal", async (): Promise<RemovalEnd> => {
    while (removalWanted()) {
      const done = await withProjectsShut(world, async () => {
        tell("removes");
        const left = await removeEverything(world, tell);
        if (left.length === 0) endRemoval();
        return left;
      });
      if (done !== null) return done.length === 0 ? { kind: "removed" } : { kind: "failed", left: done };
      tell("waits");
      await world.pause();
    }
    return { kind: "kept" };
  });
}

/** Does `work` while no engine can start. Null: an engine is running, or about to start. */
async function withProjectsShut<T>(world: RemovalWorld, work: () => Promise<T>): Promise<T | null> {
  const { held = [], pending = [] } = await world.locks.query();
  const isEngine = (name: string) => name.startsWith(projectName("")) && name.endsWith(engineLock(""));
  if ([...held, ...pending].some(({ name = "" }) => isEngine(name))) return null;
  return hold(await projects(world));

  async function hold([first, ...others]: readonly string[]): Promise<T | null> {
    if (first === undefined) return work();
    return world.locks.request(engineLock(first), { ifAvailable: true }, (lock) => (lock === null ? null : hold(others)));
  }
}

async function projects({ databases }: RemovalWorld): Promise<readonly string[]> {
  const first = projectName("");
  const others = (await databases()) ?? [];
  return [first, ...others.filter((name) => name.startsWith(`${first}-`) && !name.endsWith("-history"))];
}

async function removeEverything(world: RemovalWorld, tell: (step: RemovalStep) => void): Promise<readonly Left[]> {
  const left: Left[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work();
    } catch (error) {
      left.push({ what, why: error instanceof Error ? error.message : String(error) });
    }
  };
  for (const name of await databasesOf(world))
    await attempt(name, async () => {
      await deleteDB(name, { blocked: () => tell("blocked") });
      tell("removes");
    });
  await attempt(t.privateFiles, async () => {
    const root = await world.files();
    if (root === null) return;
    const names: string[] = [];
    for await (const name of root.keys()) if (name.startsWith(ours.stored)) names.push(name);
    for (const name of names) await attempt(name, () => removeFolder(root, name, world.pause));
  });
  await attempt(t.serviceWorker, async () => (await world.worker())?.unregister());
  await attempt(t.keptFiles, async () => {
    for (const name of await world.caches.keys()) if (name.endsWith(world.scope)) await world.caches.delete(name);
  });
  // These notes help to find what is left, so they are removed only after everything else.
  if (left.length > 0) return left;
  for (const store of world.stores)
    for (const name of Object.keys(store))
      if ((name.startsWith(ours.noted) && name !== removalKey) || name === ours.notedBefore) store.removeItem(name);
  return left;
}

/** The keys come first: if something fails later, they at least are gone. */
async function databasesOf({ databases, stores }: RemovalWorld): Promise<readonly string[]> {
  const general = ["keys", "settings", "inbox"].map((name) => ours.stored + name);
  const last = `${ours.stored}projects`;
  const named = (await databases())?.filter((name) => name.startsWith(ours.stored));
  const ids = stores.flatMap((store) => store.getItem("vibey projects")?.match(/"[a-z0-9]{12}"/g) ?? []).map((id) => id.slice(1, -1));
  const guessed = ["", ...ids].flatMap((id) => [projectName(id), `${projectName(id)}-history`]);
  const middle = (named ?? guessed).filter((name) => name !== last && !general.includes(name));
  return [...general, ...new Set(middle), last];
}

/** The number of attempts to remove a folder in which a worker that has just ended may still have a file open. */
const tries = 10;

async function removeFolder(root: FileSystemDirectoryHandle, name: string, pause: () => Promise<void>): Promise<void> {
  for (let nth = 1; ; nth++) {
    try {
      return await root.removeEntry(name, { recursive: true });
    } catch (error) {
      // The second is WebKit's name for it.
      const inUse = error instanceof DOMException && ["NoModificationAllowedError", "InvalidStateError"].includes(error.name);
      if (!inUse || nth === tries) throw error;
      await pause();
    }
  }
}

/** The real browser. */
export const browserWorld = (): RemovalWorld => ({
  locks: navigator.locks,
  databases: async () => ("databases" in indexedDB ? (await indexedDB.databases()).map(({ name = "" }) => name) : null),
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
  scope: new URL("./", document.baseURI).href,
  async worker() {
    const all = (await navigator.serviceWorker?.getRegistrations()) ?? [];
    return all.find(({ scope }) => scope === new URL("./", document.baseURI).href);
  },
  stores: [localStorage, sessionStorage],
  pause: () => new Promise((resolve) => setTimeout(resolve, 500)),
});
