/** Goal 12: the cost of a commit of ten files in the engine's worker, early and after a thousand commits. */
import { mkdirSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { openBrowser } from "./browser.ts";
import type { HistoryDone } from "./history.worker.ts";
import { goal, note } from "./report.ts";

const folder = ".cache/bench-history";
mkdirSync(folder, { recursive: true });
await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: { input: "bench/history.worker.ts", output: { entryFileNames: "worker.js" } },
  },
});
writeFileSync(`${folder}/index.html`, "<!doctype html><title>history</title>");
writeFileSync(`${folder}/_headers`, "");

const bench = await openBrowser({ root: folder });
const page = await bench.context.newPage();
await page.goto(bench.url);
const done = await page.evaluate(
  () =>
    new Promise<HistoryDone | { failed: string }>((resolve) => {
      const worker = new Worker("worker.js", { type: "module" });
      worker.addEventListener("message", ({ data }) => resolve(data));
    }),
);
await bench.close();
if ("failed" in done) throw new Error(done.failed);

note(`after 1,000 commits: a page of the list ${done.list.toFixed(1)} ms, of one file's commits ${done.listOfFile.toFixed(1)} ms`);
goal("a commit of ten files of 2,000, after 1,000 commits against after ten", done.grown, { atMost: 1.5 });
goal("such a commit against storing the ten contents without a folder", done.againstPlain, { atMost: 6 });
goal("such a commit, milliseconds with all waiting", done.commit, { atMost: 50 });
