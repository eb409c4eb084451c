/** Goal 9: with two hundred streaming agents, the page stays as quick as with none. */
import { openBrowser } from "./browser.ts";
import { startCrowd, until } from "./many-agents.ts";
import { goal, note } from "./report.ts";
import { startTokens } from "./token-server.ts";

const agents = Number(process.env["VIBEY_BENCH_AGENTS"] ?? 200);
const keys = 60;

const bench = await openBrowser();
const page = await bench.context.newPage();
await page.addInitScript(() => {
  const seen = { frames: [] as number[], keys: [] as number[] };
  Object.assign(window, { seen });
  let last = 0;
  const frame = (now: number) => {
    if (last > 0) seen.frames.push(now - last);
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === "keydown") seen.keys.push(duration);
  }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
});
await page.goto(bench.url);
await page.getByRole("tablist").first().waitFor();
const reset = () => page.evaluate(() => Object.assign((window as never as { seen: object }).seen, { frames: [], keys: [] }));
const seen = () => page.evaluate(() => (window as never as { seen: { frames: number[]; keys: number[] } }).seen);
/** The percentage of frames that were at least a whole frame late. */
const late = (frames: readonly number[]) => (100 * frames.filter((ms) => ms > 1000 / 30).length) / frames.length;

await reset();
await new Promise((resolve) => setTimeout(resolve, 4_000));
const calm = await seen();

const tokens = await startTokens({ tokensPerSecond: 50, seconds: 12 });
const first = await startCrowd(page, tokens.url, agents);
await page.goto(`${bench.url}#/dialogs/${first}`);
await until(() => tokens.open === agents);
tokens.begin();
await new Promise((resolve) => setTimeout(resolve, 1_000));
await reset();
await new Promise((resolve) => setTimeout(resolve, 5_000));
const streaming = await seen();

await page.goto(`${bench.url}#/docs/doc-main.md`);
const editor = page.getByRole("textbox").last();
await editor.click();
await reset();
for (let key = 0; key < keys; key += 1) await page.keyboard.press("a", { delay: 40 });
const typed = await seen();
await until(() => tokens.open === 0);
await tokens.close();
await bench.close();

// The browser doesn't report events that took less than 16 ms. Count each of them as 16.
const durations = [...typed.keys, ...Array.from({ length: Math.max(0, keys - typed.keys.length) }, () => 16)].toSorted((a, b) => a - b);
note(`frames late: ${late(calm.frames).toFixed(1)} % with no agent, ${late(streaming.frames).toFixed(1)} % with ${agents}`);
goal("per cent of frames late, beyond those late with no agent", Math.max(0, late(streaming.frames) - late(calm.frames)), { atMost: 1 });
goal("milliseconds from key to paint, 95th of 100", durations[Math.floor(durations.length * 0.95)] ?? 0, { atMost: 50 });
