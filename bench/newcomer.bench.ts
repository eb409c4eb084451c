/** How long a newcomer waits, from a cold cache, on a phone's network and processor. */
import type { Page } from "playwright";
import { slowProcessor } from "../e2e/slow.ts";
import { type Bench, openBrowser } from "./browser.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const runs = Number(process.env["VIBEY_BENCH_RUNS"] ?? 5);

interface Seen {
  /** Milliseconds from the navigation: something shows; the largest part of it shows; doc-main.md can be typed into. */
  readonly painted: number;
  readonly largest: number;
  readonly writable: number;
  /** Milliseconds from the click that lets the demo play to what it asks for first. */
  readonly asked: number;
  /** Kilobytes until doc-main.md could be typed into. */
  readonly kilobytes: number;
}
type Times = Partial<Record<"painted" | "largest" | "writable" | "clicked" | "asked", number>>;

/** Notes the moments in the page itself, so that no messages to this process are in them. */
function watch(): void {
  const times: Times = {};
  Object.assign(window, { times });
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") times.painted = startTime;
  }).observe({ type: "paint", buffered: true });
  new PerformanceObserver((list) => {
    times.largest = list.getEntries().at(-1)?.startTime ?? 0;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new MutationObserver(() => {
    const field = document.querySelector<HTMLTextAreaElement>("textarea.editor");
    if (field !== null && field.value !== "") times.writable ??= performance.now();
    if (document.querySelector(".ask") !== null) times.asked ??= performance.now();
  }).observe(document, { childList: true, subtree: true });
  document.addEventListener("click", ({ timeStamp }) => (times.clicked = timeStamp), true);
}
const timesIn = (page: Page) => page.evaluate(() => (window as never as { times: Times }).times);

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error("what was waited for did not come in a minute");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function visit(bench: Bench): Promise<Seen> {
  const page = await bench.context.newPage();
  await page.addInitScript(watch);
  await slowProcessor(page);
  const before = bench.sent();
  await page.goto(bench.url, { waitUntil: "commit" });
  const writable = await until(async () => (await timesIn(page)).writable);
  const kilobytes = (bench.sent() - before) / 1024;
  await page.getByRole("banner").getByRole("button", { name: "Start" }).click();
  await page.getByRole("button", { name: "Try the demo" }).click();
  const asked = await until(async () => (await timesIn(page)).asked);
  const { painted = Number.NaN, largest = Number.NaN, clicked = Number.NaN } = await timesIn(page);
  return { painted, largest, writable, asked: asked - clicked, kilobytes };
}

const all: Seen[] = [];
for (let run = 0; run < runs; run += 1) {
  const bench = await openBrowser({ serviceWorker: true, far: true });
  all.push(await visit(bench));
  await bench.close();
}
const middle = (what: keyof Seen) => median(all.map((seen) => seen[what]));
note(`150 ms to the server, 1.6 Mbit/s, a quarter of the processor; the median of ${runs} first visits`);
note(`largest paint ${middle("largest").toFixed(0)} ms; doc-main.md can be typed into after ${middle("writable").toFixed(0)} ms`);
note(`${middle("kilobytes").toFixed(0)} KB until then, heads of the answers and style included`);
goal("milliseconds to the first paint", middle("painted"), { atMost: 1_000 });
goal("milliseconds from the click to what the demo asks for first", middle("asked"), { atMost: 3_000 });
