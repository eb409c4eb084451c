/** Goal 8: the time from navigation to a writable text, compared with a page that is only a field; the first load; the start without a network. */
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright";
import { putFirstProject } from "../e2e/first-project.ts";
import { openBrowser } from "./browser.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const rounds = 9;
const times = 3;

const folder = ".cache/bench-blank";
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/index.html`, '<!doctype html><title>blank</title><textarea class="editor">text</textarea>');
writeFileSync(`${folder}/_headers`, "");

/** Records when a field with text appears. */
function watch(): void {
  const look = () => {
    const field = document.querySelector<HTMLTextAreaElement>("textarea.editor");
    if (field !== null && field.value !== "") Object.assign(window, { ready: (window as { ready?: number }).ready ?? performance.now() });
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}
/** Milliseconds from the start of the navigation. */
async function ready(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: "commit" });
  for (;;) {
    const at = await page.evaluate(() => (window as { ready?: number }).ready);
    if (at !== undefined) return at;
    await new Promise((go) => setTimeout(go, 10));
  }
}
/** Simulates an earlier visit: waits until the page has stored what the next visit shows before the engine answers. */
async function visited(page: Page, url: string): Promise<void> {
  await ready(page, url);
  while (!(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("vibey glance ")))))
    await new Promise((go) => setTimeout(go, 100));
}
async function fastest(page: Page, url: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run += 1) best = Math.min(best, await ready(page, url));
  return best;
}

const [app, blank] = [await openBrowser(), await openBrowser({ root: folder })];
const [inApp, inBlank] = [await app.context.newPage(), await blank.context.newPage()];
for (const page of [inApp, inBlank]) await page.addInitScript(watch);
await inApp.goto(app.url);
await putFirstProject(inApp);
const first: number[] = [];
for (let run = 0; run < times; run += 1) first.push(await ready(inApp, app.url));
await visited(inApp, app.url);
await fastest(inBlank, blank.url);
const [both, alone]: number[][] = [[], []];
for (let round = 0; round < rounds; round += 1) {
  alone?.push(await fastest(inBlank, blank.url));
  both?.push(await fastest(inApp, app.url));
}
await blank.close();
await app.close();

const kept = await openBrowser({ serviceWorker: true });
const page = await kept.context.newPage();
await page.addInitScript(watch);
await page.goto(kept.url);
await putFirstProject(page);
await page.evaluate(() => navigator.serviceWorker.ready);
// The service worker is ready before it has stored all files; it takes control of the page only after that.
await page.evaluate(async () => {
  while (navigator.serviceWorker.controller === null) await new Promise((go) => setTimeout(go, 100));
});
await visited(page, kept.url);
kept.stopServer();
await ready(page, kept.url);
const offline: number[] = [];
for (let round = 0; round < rounds; round += 1) offline.push(await ready(page, kept.url));
await kept.close();

// A separate script: bundled into this one, it would run.
const { firstLoad }: typeof import("../scripts/budget.mjs") = await import(
  /* @vite-ignore */ pathToFileURL(resolve("scripts/budget.mjs")).href
);
const { total } = firstLoad(process.env["VIBEY_DIST"] ?? "dist");
note(`where nothing was kept of an earlier visit, after ${Math.min(...first).toFixed(0)} ms`);
note(
  `a text can be written in after ${median(both ?? []).toFixed(0)} ms, in a page with a field alone after ${median(alone ?? []).toFixed(0)}`,
);
goal("ready against a page with a field alone", median((both ?? []).map((ms, round) => ms / (alone?.[round] ?? Number.NaN))), {
  atMost: 3.5,
});
goal("kilobytes of script, in gzip, until doc-main.md can be written in", total, { atMost: 64 });
goal("milliseconds of a start without a network", median(offline), { atMost: 150 });
