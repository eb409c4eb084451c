import { vi } from "vitest";

/** `run` makes the request as it was asked for. */
export type OnRequest = (method: string, store: IDBObjectStore, run: () => IDBRequest, args: readonly unknown[]) => IDBRequest;

type Method = "get" | "getAll" | "getAllKeys" | "getKey" | "count" | "openCursor" | "openKeyCursor" | "put" | "add" | "delete" | "clear";

/** Puts `onRequest` in the place of every request of these kinds, until `vi.restoreAllMocks`. */
export function spyOnRequests(methods: readonly Method[], onRequest: OnRequest): void {
  for (const method of methods) {
    // The methods have so many signatures that no one type is that of all.
    const original: (...args: never[]) => IDBRequest = IDBObjectStore.prototype[method];
    const replacement = function (this: IDBObjectStore, ...args: unknown[]): IDBRequest {
      return onRequest(method, this, () => Reflect.apply(original, this, args), args);
    };
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(replacement);
  }
}
