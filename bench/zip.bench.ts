/** A zip of 5,000 files and 50 MB: previewed, imported as a project, stopped, and imported again. Measures the work on the page's main thread. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import { begin } from "../e2e/first-project.ts";
import { zipStream } from "../src/fs/zip/write.ts";
import { openBrowser, tasksOfMainThread } from "./browser.ts";
import { goal, note } from "./report.ts";

const count = 5_000;
const bytes = 10_000;

/** Text that compresses to about two thirds, like source code. */
function content(seed: number): Uint8Array {
  const text = new Uint8Array(bytes);
  let state = seed + 1;
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text[at] = at % 80 === 79 ? 10 : 97 + ((state >>> 16) % 26);
  }
  return text;
}

const folder = mkdtempSync(join(tmpdir(), "vibey-bench-zip-"));
const zip = join(folder, "large.zip");
const entries = Array.from({ length: count }, (_, n) => ({
  path: `src/part${n % 50}/file${n}.txt`,
  mtime: Date.UTC(2026, 0, 1),
  read: async () => content(n),
}));
writeFileSync(zip, Buffer.from(await new Response(zipStream(entries)).arrayBuffer()));

const bench = await openBrowser();
const page = await bench.context.newPage();
await page.goto(bench.url);
// An empty project shows another way to open a zip.
await begin(page);
// The app's own work after its start isn't measured.
await page.waitForTimeout(8_000);

const choose = (on: Page, name: string) =>
  on
    .getByRole("button", { name: "Project" })
    .click()
    .then(() => on.getByRole("button", { name, exact: true }).click());
const box = page.getByRole("dialog", { name: "Import zip" });
const longest: number[] = [];

/** Does some work, and reports its duration and its longest task on the page's main thread. */
async function during(what: string, work: () => Promise<unknown>): Promise<void> {
  const tasks = await tasksOfMainThread(bench);
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const most = Math.max(...(await tasks()));
  longest.push(most);
  note(`${what}: ${(ms / 1_000).toFixed(1)} s, longest task of the page ${most.toFixed(0)} ms of processor time`);
}

await choose(page, "Import zip…");
await during("to look into it", async () => {
  await box.getByLabel("Zip file").setInputFiles(zip);
  await box.getByRole("button", { name: "Create project" }).waitFor({ timeout: 120_000 });
});
await during("to show its list of files", async () => {
  await box.getByText("Files", { exact: true }).click();
  await box.getByText(/^and [\d,]+ more$/).waitFor();
});
await during("to begin and to stop", async () => {
  await box.getByRole("button", { name: "Create project" }).click();
  // The page's policy blocks `waitForFunction`, so poll.
  while ((await page.evaluate(() => document.querySelector("progress")?.value ?? 0)) < 0.4) await page.waitForTimeout(20);
  const stopped = performance.now();
  await box.getByRole("button", { name: "Cancel" }).click();
  await box.getByText("Stopped. Nothing was imported.").waitFor();
  note(`  from Cancel to its answer: ${(performance.now() - stopped).toFixed(0)} ms`);
});
await during("to make a project of it", async () => {
  await box.getByRole("button", { name: "Create project" }).click();
  await box.getByRole("button", { name: "Open new project" }).waitFor({ timeout: 240_000 });
});
await box.getByRole("button", { name: "Open new project" }).click();
await page.getByRole("tablist").first().waitFor();
await page.waitForTimeout(8_000);
let size = 0;
await during("to export it", async () => {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 240_000 }), choose(page, "Export everything")]);
  size = statSync(await download.path()).size;
});
await page.close();
await bench.close();
rmSync(folder, { recursive: true, force: true });

note(`the zip that came out: ${(size / 1e6).toFixed(1)} MB`);
goal("longest task of the page while 5,000 files and 50 MB come and go: milliseconds of processor time", Math.max(...longest), {
  atMost: 50,
});
