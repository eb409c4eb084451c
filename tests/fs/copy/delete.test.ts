import { openDB } from "idb";
import { afterEach, expect, test, vi } from "vitest";
import { deleteProject } from "../../../src/fs/copy/restore.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a tab that is frozen answers nothing, and the browser does not say so: it is said after two seconds, once", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // A request that receives only the events that the test sends.
  const heard = new EventTarget();
  const request: IDBOpenDBRequest = Object.create(IDBOpenDBRequest.prototype, {
    addEventListener: { value: heard.addEventListener.bind(heard) },
    removeEventListener: { value: heard.removeEventListener.bind(heard) },
  });
  vi.spyOn(indexedDB, "deleteDatabase").mockReturnValue(request);
  const blocked = vi.fn();
  void deleteProject("held", blocked);
  vi.advanceTimersByTime(1_999);
  expect(blocked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(blocked).toHaveBeenCalledTimes(1);
  heard.dispatchEvent(new Event("blocked"));
  expect(blocked).toHaveBeenCalledTimes(1);
});

test("what is deleted at once is not talked about", async () => {
  const name = crypto.randomUUID();
  (await openDB(name, 1)).close();
  const blocked = vi.fn();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await deleteProject(name, blocked);
  vi.advanceTimersByTime(10_000);
  expect(blocked).not.toHaveBeenCalled();
});
