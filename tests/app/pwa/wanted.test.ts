import { expect, test, vi } from "vitest";
import { quietOrWanted, wantServiceWorker } from "../../../src/app/pwa/wanted.ts";

test("the service worker is registered when a command waits for it, however busy the page is; else when the page is quiet", async () => {
  await expect(quietOrWanted(async () => undefined)).resolves.toBeUndefined();
  await expect(quietOrWanted(() => Promise.reject(new Error("the engine failed")))).rejects.toThrow("the engine failed");
  const registers = vi.fn<() => void>();
  const done = quietOrWanted(() => new Promise(() => undefined)).then(registers);
  await new Promise(setImmediate);
  expect(registers).not.toHaveBeenCalled();
  wantServiceWorker();
  await done;
  expect(registers).toHaveBeenCalledOnce();
});
