import { vi } from "vitest";

/** `run` sends the original request. */
export type OnRequest = (method: string, store: IDBObjectStore, run: () => IDBRequest, args: readonly unknown[]) => IDBRequest;

type Method = "get" | "getAll" | "getAllKeys" | "getKey" | "count" | "openCursor" | "openKeyCursor" | "put" | "add" | "delete" | "clear";

/** Passes every request of these kinds to `onRequest`, until `vi.restoreAllMocks`. */
export function spyOnRequests(methods: readonly Method[], onRequest: OnRequest): void {
  for (const method of methods) {
    // The methods have so many overloads that no single type fits all.
    const original: (...args: never[]) => IDBRequest = IDBObjectStore.prototype[method];
    const replacement = function (this: IDBObjectStore, ...args: unknown[]): IDBRequest {
      return onRequest(method, this, () => Reflect.apply(original, this, args), args);
    };
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(replacement);
  }
}
