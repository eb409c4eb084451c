/** How long a newcomer waits with a cold cache, on a phone's network and processor. */
import type { Page } from "playwright";
import { slowProcessor } from "../e2e/slow.ts";
import { type Bench, openBrowser } from "./browser.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const runs = Number(process.env["VIBEY_BENCH_RUNS"] ?? 5);

interface Seen {
  /** Milliseconds from the navigation until something is painted, until the largest part is painted, and until the app replaces the welcome page. */
  readonly painted: number;
  readonly largest: number;
  readonly taken: number;
  /** Milliseconds from the click that starts the demo to the demo's first request for approval. */
  readonly asked: number;
  /** Kilobytes sent by then. */
  readonly kilobytes: number;
}
type Times = Partial<Record<"painted" | "largest" | "taken" | "clicked" | "asked", number>>;

/** Records the times in the page itself, so that they include no messages to this process. */
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
    if (document.querySelector("[role=tablist]") !== null) times.taken ??= performance.now();
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
  const taken = await until(async () => (await timesIn(page)).taken);
  const kilobytes = (bench.sent() - before) / 1024;
  await page.getByRole("button", { name: "Play the demo" }).click();
  const asked = await until(async () => (await timesIn(page)).asked);
  const { painted = Number.NaN, largest = Number.NaN, clicked = Number.NaN } = await timesIn(page);
  return { painted, largest, taken, asked: asked - clicked, kilobytes };
}

const all: Seen[] = [];
for (let run = 0; run < runs; run += 1) {
  const bench = await openBrowser({ serviceWorker: true, far: true });
  all.push(await visit(bench));
  await bench.close();
}
const middle = (what: keyof Seen) => median(all.map((seen) => seen[what]));
note(`150 ms to the server, 1.6 Mbit/s, a quarter of the processor; the median of ${runs} first visits`);
note(`largest paint ${middle("largest").toFixed(0)} ms; the app has taken the page over after ${middle("taken").toFixed(0)} ms`);
note(`${middle("kilobytes").toFixed(0)} KB until then, heads of the answers and style included`);
goal("milliseconds to the first paint", middle("painted"), { atMost: 1_000 });
goal("milliseconds from the click to what the demo asks for first", middle("asked"), { atMost: 3_000 });
