/** Goal 7: opening a dialog of 2,000 messages compared with one of 20, the memory that the page keeps, and the cost of a frame while scrolling. */
import type { Page } from "playwright";
import type { Section } from "../src/dialog/model.ts";
import { serialiseDialog } from "../src/dialog/serialise.ts";
import { begin } from "../e2e/first-project.ts";
import { corpus, latin, markdown, random, text, wide } from "./corpus.ts";
import { mainThread, openBrowser } from "./browser.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const rounds = 5;
const frames = 180;
/** Pixels per frame while scrolling: a quick turn of the wheel. */
const step = 120;

/** A dialog with this many messages: questions, and answers of 4 KB that use all of Markdown. */
function dialogOf(messages: number): string {
  const next = random(7);
  const time = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
  const sections = Array.from({ length: messages }, (_, nth): Section => {
    const user = nth % 2 === 0;
    const said = user ? text(300, next, latin + wide) : `${markdown(next)}\n\n${markdown(next)}`;
    const value = user ? time(nth) : `${time(nth)} - ${time(nth)}`;
    return { role: user ? "user" : "assistant", head: [{ key: "Time", value }], parts: [{ kind: "text", text: said }] };
  });
  return serialiseDialog({ ...corpus(0), sections });
}

const bench = await openBrowser();
const page = await bench.context.newPage();
await page.goto(bench.url);
// An empty project shows no editor.
await begin(page);
await page.locator(".editor-mount .cm-content").waitFor();
const [long, short] = [dialogOf(2_000), dialogOf(20)];
for (const [name, content] of [
  ["long", long],
  ["short", short],
] as const)
  await page.evaluate(
    async ([slug, whole]) => {
      const file = `file/dialog-20260101-000000-${slug}-done.md`;
      const { ok } = await fetch(file, { method: "POST", body: JSON.stringify({ content: whole }) });
      if (!ok) throw new Error(`${file} was not written`);
    },
    [name, content] as const,
  );
const used = await mainThread(page);
const session = await page.context().newCDPSession(page);

async function show(hash: string): Promise<void> {
  await page.evaluate((to) => void (location.hash = to), hash);
}
/** Megabytes of the page's own heap after garbage collection. */
async function heap(): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize / 1_000_000;
}
/** Milliseconds of main thread time from the click until the page is idle, minus those of an idle page. */
async function opening(slug: string): Promise<number> {
  await show("#/dialogs");
  await page.waitForTimeout(600);
  const idle = await spent(() => page.waitForTimeout(1_500));
  return (
    (await spent(async () => {
      await show(`#/dialogs/20260101-000000-${slug}`);
      await page.locator(".messages article").last().waitFor();
      await page.waitForTimeout(1_500);
    })) - idle
  );
}
async function spent(work: () => Promise<unknown>): Promise<number> {
  const before = await used();
  await work();
  return ((await used()) - before) * 1_000;
}
/** Milliseconds of main thread time per frame while the messages scroll up. */
async function scrolling(shown: Page): Promise<number> {
  return (
    (await spent(() =>
      shown.evaluate(
        ([count, pixels]) =>
          new Promise<void>((resolve) => {
            const list = document.querySelector(".message-list");
            if (list === null) throw new Error("no messages are open");
            let left = count;
            const frame = () => {
              list.scrollTop -= pixels;
              left -= 1;
              if (left === 0) resolve();
              else requestAnimationFrame(frame);
            };
            requestAnimationFrame(frame);
          }),
        [frames, step] as const,
      ),
    )) / frames
  );
}

await opening("short");
await opening("long");
const times = { long: [] as number[], short: [] as number[], frame: [] as number[] };
await show("#/dialogs");
await page.waitForTimeout(1_000);
const before = await heap();
let [nodes, megabytes] = [0, 0];
for (let round = 0; round < rounds; round += 1) {
  times.short.push(await opening("short"));
  times.long.push(await opening("long"));
  megabytes = Math.max(megabytes, (await heap()) - before);
  const count = () => page.evaluate(() => document.querySelectorAll(".messages *").length);
  nodes = Math.max(nodes, await count());
  times.frame.push(await scrolling(page));
  nodes = Math.max(nodes, await count());
}
await bench.close();

note(
  `milliseconds of the main thread to open 2,000 messages of ${(long.length / 1e6).toFixed(1)} MB: ${median(times.long).toFixed(0)}; 20 messages: ${median(times.short).toFixed(0)}`,
);
goal("opening 2,000 messages against 20", median(times.long.map((ms, round) => ms / (times.short[round] ?? Number.NaN))), { atMost: 1.5 });
goal("elements of the messages in the page, at most", nodes, { atMost: 1_500 });
goal("megabytes of the page's heap, with them open", megabytes, { atMost: 40 });
goal("milliseconds of the main thread a frame while scrolling", median(times.frame), { atMost: 5 });
