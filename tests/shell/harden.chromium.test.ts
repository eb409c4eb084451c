import { describe, expect, test } from "vitest";
// oxlint-disable-next-line import/default -- Vite creates it.
import reachUrl from "./reach.ts?worker&url";
// oxlint-disable-next-line import/default -- Vite creates it.
import plainUrl from "./reach-unhardened.ts?worker&url";

const wanted = {
  globals: [
    "indexedDB",
    "caches",
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "WebTransport",
    "EventSource",
    "BroadcastChannel",
    "Worker",
    "SharedWorker",
    "importScripts",
    "FontFace",
    "fonts",
    "Notification",
  ],
  navigator: ["locks", "storage", "serviceWorker", "permissions", "usb", "serial", "hid"],
};

async function reached(url: string, asked: object = {}): Promise<unknown> {
  const worker = new Worker(url, { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener("message", ({ data }) => resolve(data));
      worker.addEventListener("error", (event) => reject(new Error(event.message)));
      worker.postMessage({ ...wanted, ...asked }, []);
    });
  } finally {
    worker.terminate();
  }
}

describe("the shell's worker", () => {
  test("reaches no network, no disk and no other context", async () => {
    expect(await reached(reachUrl)).toEqual([]);
  });

  test("makes no code of text", async () => {
    expect(await reached(reachUrl, { texts: true })).toEqual([]);
  });

  test("would reach them otherwise", async () => {
    expect(await reached(plainUrl)).toEqual(
      expect.arrayContaining([
        "indexedDB",
        "caches",
        "fetch",
        "WebSocket",
        "BroadcastChannel",
        "Worker",
        "navigator.locks",
        "navigator.storage",
      ]),
    );
    expect(await reached(plainUrl, { texts: true })).toEqual(
      expect.arrayContaining(["Function", "async", "generator", "async generator", "eval", "setTimeout", "setInterval"]),
    );
  });
});
