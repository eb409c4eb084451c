/** Goal 4: storing fifty streams at once, compared with plain appends to files of the origin private file system. */
import { mkdirSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { openBrowser } from "./browser.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";
import type { StorageDone, StorageJob } from "./storage.worker.ts";

const folder = ".cache/bench-storage";
mkdirSync(folder, { recursive: true });
await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: { input: "bench/storage.worker.ts", output: { entryFileNames: "worker.js" } },
  },
});
writeFileSync(`${folder}/index.html`, "<!doctype html><title>storage</title>");
writeFileSync(`${folder}/_headers`, "");

const load = { tokensPerSecond: 50, seconds: 15 };

async function run(kind: StorageJob["kind"], streams: number): Promise<StorageDone & { readonly cpu: number }> {
  const bench = await openBrowser({ root: folder });
  const page = await bench.context.newPage();
  await page.goto(bench.url);
  const job: StorageJob = { kind, streams, ...load };
  const before = await bench.cpu();
  const done = await page.evaluate(
    (given) =>
      new Promise<StorageDone | { failed: string }>((resolve) => {
        const worker = new Worker("worker.js", { type: "module" });
        worker.addEventListener("message", ({ data }) => resolve(data));
        worker.postMessage(given);
      }),
    job,
  );
  const cpu = (await bench.cpu()) - before;
  await bench.close();
  if ("failed" in done) throw new Error(done.failed);
  return { ...done, cpu };
}

const [idle, plain, ours]: (StorageDone & { readonly cpu: number })[][] = [[], [], []];
for (let round = 0; round < 3; round += 1) {
  // No streams: the cost of opening the page and the worker.
  idle?.push(await run("opfs", 0));
  plain?.push(await run("opfs", 50));
  ours?.push(await run("idb", 50));
}
const cpu = (runs: typeof idle) => median((runs ?? []).map((one) => one.cpu));
note(`idle ${cpu(idle).toFixed(2)} s, OPFS ${cpu(plain).toFixed(2)} s, IndexedDB ${cpu(ours).toFixed(2)} s of processor time`);
goal("50 streams in IndexedDB against OPFS, processor time", (cpu(ours) - cpu(idle)) / (cpu(plain) - cpu(idle)), { atMost: 1.5 });
goal("write transactions a second, 50 streams", median((ours ?? []).map((one) => one.transactions)), { atMost: 10 });
goal("bytes written for each byte of text", median((ours ?? []).map((one) => one.written)), { atMost: 25 });
const many = await run("idb", 200);
goal("write transactions a second, 200 streams", many.transactions, { atMost: 10 });
