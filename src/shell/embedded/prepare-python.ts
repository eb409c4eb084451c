import type { LoadAsset } from "../assets.ts";
import { readFromShell } from "./from-shell.ts";
import type { WorkerLike } from "./shell-worker.ts";

/**
 * Adds `python/snapshot` to the assets: the memory of a Python that has started. Starting takes seconds, but the snapshot gives each program a new
 * Python within a moment. A worker that runs no command makes it, so that no dialog's code can influence what the programs of others start from.
 */
export function withPython(assets: LoadAsset, createWorker: () => WorkerLike): LoadAsset {
  let made: Promise<Uint8Array> | null = null;
  return async (name, progress) => {
    if (name !== "python/snapshot") return assets(name, progress);
    made ??= makeSnapshot(assets, createWorker);
    try {
      return await made;
    } catch (error) {
      made = null;
      throw error;
    }
  };
}

function makeSnapshot(assets: LoadAsset, createWorker: () => WorkerLike): Promise<Uint8Array> {
  const worker = createWorker();
  const made = new Promise<Uint8Array>((resolve, reject) => {
    worker.addEventListener("error", (event) => reject(new Error(event.message || "its worker could not be loaded")));
    worker.addEventListener("message", (event) => {
      const message = readFromShell(event.data);
      if (message?.type === "prepared") {
        if (message.bytes === null) reject(new Error(message.why));
        else resolve(message.bytes);
      } else if (message?.type === "asset") {
        const { id, name } = message;
        assets(name).then(
          (bytes) => worker.postMessage({ type: "loaded", id, bytes, why: "" }, []),
          (error: unknown) => worker.postMessage({ type: "loaded", id, bytes: null, why: String(error) }, []),
        );
      }
    });
  });
  worker.postMessage({ type: "prepare" }, []);
  return made.finally(() => worker.terminate());
}
