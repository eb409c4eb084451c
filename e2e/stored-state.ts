// Copies the local storage and the databases of an origin from one browser context to another. Playwright's own storage state isn't used: it
// closes its page without waiting for the transactions, and on a busy machine the browser then drops what isn't committed yet.
import type { BrowserContext, Page } from "@playwright/test";

export interface StoredState {
  readonly address: string;
  readonly local: readonly (readonly [key: string, value: string])[];
  readonly databases: readonly Database[];
}

interface Database {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly Store[];
}

interface Store {
  readonly name: string;
  readonly options: IDBObjectStoreParameters;
  readonly indexes: readonly { readonly name: string; readonly keyPath: string | string[]; readonly options: IDBIndexParameters }[];
  /** The keys are valid keys. Their recursive type is too deep for an argument of `evaluate`. */
  readonly records: readonly (readonly [key: unknown, value: unknown])[];
}

export async function takeState(page: Page): Promise<StoredState> {
  const stored = await page.evaluate(async () => {
    const asked = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("a request failed")));
      });
    async function take(name: string, version: number): Promise<Database> {
      const db = await asked(indexedDB.open(name, version));
      const names = [...db.objectStoreNames];
      const tx = names.length > 0 ? db.transaction(names, "readonly") : null;
      const stores = await Promise.all(
        names.map(async (each): Promise<Store> => {
          const store = tx?.objectStore(each);
          if (!store) throw new Error(`${name} has no store ${each}`);
          const [keys, values] = await Promise.all([asked(store.getAllKeys()), asked<unknown[]>(store.getAll())]);
          const indexes = [...store.indexNames].map((index) => {
            const { keyPath, unique, multiEntry } = store.index(index);
            return { name: index, keyPath, options: { unique, multiEntry } };
          });
          const { keyPath, autoIncrement } = store;
          return { name: each, options: { keyPath, autoIncrement }, indexes, records: keys.map((key, at) => [key, values[at]] as const) };
        }),
      );
      db.close();
      return { name, version, stores };
    }
    const found = await indexedDB.databases();
    const databases = await Promise.all(found.map(({ name = "", version = 1 }) => take(name, version)));
    return { local: Object.entries(localStorage) as [string, string][], databases };
  });
  return { address: page.url(), ...stored };
}

/** Resolves when everything is committed. No script of the origin has run yet. */
export async function putState(context: BrowserContext, state: StoredState): Promise<void> {
  const page = await context.newPage();
  await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
  await page.goto(state.address);
  await page.evaluate(async ({ local, databases }) => {
    for (const [key, value] of local) localStorage.setItem(key, value);
    const put = ({ name, version, stores }: Database) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open(name, version);
        request.addEventListener("upgradeneeded", () => {
          for (const { name: each, options, indexes, records } of stores) {
            const store = request.result.createObjectStore(each, options);
            for (const index of indexes) store.createIndex(index.name, index.keyPath, index.options);
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was taken from a store.
            for (const [key, value] of records) store.put(value, options.keyPath === null ? (key as IDBValidKey) : undefined);
          }
        });
        // The connection opens once the transaction of the upgrade is complete.
        request.addEventListener("success", () => {
          request.result.close();
          resolve();
        });
        request.addEventListener("error", () => reject(request.error ?? new Error(`${name} could not be put back`)));
      });
    await Promise.all(databases.map(put));
  }, state);
  await page.close();
}
