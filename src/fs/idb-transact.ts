import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from "idb";
import type { CommitOptions } from "./files.ts";
import { StorageError } from "./storage-error.ts";

/**
 * Does `work` in one transaction over all these stores. Resolves when the transaction is complete. Otherwise rejects with the reason, and nothing was
 * done. `work` awaits only requests of `tx`, and passes requests that it does not await to `later`.
 */
export async function transactOn<
  Schema extends DBSchema,
  Stores extends StoreNames<Schema>[],
  Mode extends "readonly" | "readwrite",
  Value,
>(
  db: IDBPDatabase<Schema>,
  stores: Stores,
  mode: Mode,
  durability: CommitOptions["durability"],
  work: (tx: IDBPTransaction<Schema, Stores, Mode>, later: (request: Promise<unknown>) => void) => Promise<Value>,
): Promise<Value> {
  const tx = db.transaction(stores, mode, { durability });
  const reason = reasons();
  const done = tx.done.catch(reason.note);
  const worked = work(tx, (request) => void request.catch(reason.note)).catch((error: unknown) => {
    reason.note(error);
    abort(tx);
  });
  const [value] = await Promise.all([worked, done]);
  if (reason.noted()) throw reason.error();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undefined only after a failure, which was noted.
  return value as Value;
}

export function abort(tx: { abort(): void }): void {
  try {
    tx.abort();
  } catch (error) {
    // Already aborted: that is why one of its requests failed.
    if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
  }
}

/**
 * Collects the errors of one transaction and finds its reason: the first error that is not an AbortError. A failed request has its error before the
 * transaction has one, and a transaction that fails by itself aborts its requests first.
 */
export function reasons(): { note: (error: unknown) => void; noted: () => boolean; error: () => unknown } {
  const errors: unknown[] = [];
  return {
    note: (error) => void errors.push(error),
    noted: () => errors.length > 0,
    error: () => errors.find((error) => !isAbort(error)) ?? errors[0],
  };
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Converts a storage error to ours. Any other error is a programmer's mistake and is returned unchanged. */
export function toStorageError(error: unknown, name: string): unknown {
  if (!(error instanceof DOMException)) return error;
  const message = `${name}: ${error.name}: ${error.message}`;
  if (error.name === "QuotaExceededError") return new StorageError("full", message, { cause: error });
  if (error.name === "VersionError") return new StorageError("newer", `${name} was written by a newer program`, { cause: error });
  return new StorageError("broken", message, { cause: error });
}
