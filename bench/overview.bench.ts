/** The overview of 10,000 dialogs: the time until it shows, keys that move in it, a filter, and the page's longest tasks during all that. */
import { begin } from "../e2e/first-project.ts";
import { mainThread, openBrowser, tasksOfMainThread } from "./browser.ts";
import { openProject } from "./project.ts";
import { goal, note } from "./report.ts";

const count = 10_000;
/** Of every five dialogs, a person started one, and it launched the other four. */
const family = 5;
const keys = 100;

const stamp = (nth: number) =>
  new Date(Date.UTC(2026, 0, 1) + nth * 1_000)
    .toISOString()
    .replaceAll(/[-:]|\.\d+Z/g, "")
    .replace("T", "-");
const idOf = (nth: number) => `${stamp(nth)}-agent-${nth}`;
function dialog(nth: number): readonly [string, string] {
  const parent = nth - (nth % family);
  const isAsking = nth % 100 === 7;
  const lines = [
    "# Dialog",
    "> Format: 1",
    "> Provider: claude | Model: claude-sonnet-5-5",
    "> Started: 2026-01-01T00:00:00.000Z",
    ...(parent === nth ? [] : [`> Launched by: ${idOf(parent)}`]),
    "\n## User\n> Time: 2026-01-01T00:00:00.000Z\n\nGo.\n\n## Assistant",
    "> Time: 2026-01-01T00:00:01.000Z - 2026-01-01T00:00:02.000Z\n\nHello.",
    ...(isAsking ? ["", "---", `Tool request: run_command [toolu_${nth}]`, "", `    {"command": "npm test -- ${nth}"}`, "", "---"] : []),
    "\n> Usage: input=900 output=100 total=1000\n> Usage cumulative: input=900 output=100 total=1000\n",
  ];
  return [`vibey/dialog-${idOf(nth)}-${isAsking ? "waiting" : "done"}.md`, lines.join("\n")];
}

const bench = await openBrowser();
const page = await bench.context.newPage();
await page.goto(bench.url);
// An empty project shows no editor.
await begin(page);
await page.locator(".editor-mount .cm-content").waitFor();
await openProject(page, [["vibey/doc-main.md", "# Many\n"], ...Array.from({ length: count }, (_, nth) => dialog(nth))]);
// The app's own work after its start isn't measured.
await page.waitForTimeout(15_000);

const tasks = await tasksOfMainThread(bench);
const shows = performance.now();
await page.getByRole("tab", { name: "Dialogs" }).click();
await page
  .getByRole("row", { name: /agent-/ })
  .first()
  .waitFor();
const shown = performance.now() - shows;
await page.getByRole("row").and(page.locator("[aria-level='2']")).first().waitFor({ timeout: 120_000 });
const known = performance.now() - shows;
await page.waitForTimeout(3_000);
const opening = await tasks();

const moving = await tasksOfMainThread(bench);
const used = await mainThread(page);
const before = await used();
await page.getByRole("region", { name: "Overview" }).focus();
for (let key = 0; key < keys; key += 1) await page.keyboard.press("j", { delay: 30 });
const each = (((await used()) - before) * 1_000) / keys;
const elements = await page.evaluate(() => document.querySelectorAll("*").length);
const filters = performance.now();
await page.getByRole("button", { name: /^Waiting / }).click();
await page
  .getByRole("button", { name: /^Approve agent-/ })
  .first()
  .waitFor();
const filtered = performance.now() - filters;
const main = await moving();
await bench.close();

const long = (all: readonly number[]) => Math.max(...all).toFixed(0);
note(
  `${count} dialogs: rows after ${shown.toFixed(0)} ms, who launched whom after ${known.toFixed(0)} ms; ${elements} elements in the page`,
);
note(
  `a key that moves takes ${each.toFixed(1)} ms of the main thread; those that wait, and the first Approve, after ${filtered.toFixed(0)} ms`,
);
note(`the longest task is ${long(opening)} ms while it opens, ${long(main)} ms while keys move in it and it is filtered`);
goal("elements in the page", elements, { atMost: 3_000 });
goal("milliseconds of the main thread for a key that moves", each, { atMost: 16 });
