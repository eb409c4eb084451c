/** Goal 6: showing a growing answer, compared with plain text; after 400 KB compared with after 20 KB; and no long task at 2,000 tokens a second. */
import { writeFileSync } from "node:fs";
import { build } from "vite";
import { begin } from "../e2e/first-project.ts";
import { mainThread, openBrowser, tasksOfMainThread } from "./browser.ts";
import { startCrowd, until } from "./many-agents.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";
import { startTokens } from "./token-server.ts";

const rounds = 5;
/** About 100 tokens a second. */
const grow = { pieces: 2, frames: 180 } as const;
const pace = { tokensPerSecond: 2_000, seconds: 8, markdown: true } as const;

const folder = ".cache/bench-streaming";
await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  base: "./",
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: {
      input: { page: "bench/streaming.page.ts", style: "src/app/style/index.css" },
      output: { entryFileNames: "[name].js", assetFileNames: "[name][extname]" },
    },
  },
});
writeFileSync(
  `${folder}/index.html`,
  '<!doctype html><meta charset="utf-8"><title>streaming</title><link rel="stylesheet" href="style.css"><script type="module" src="page.js"></script>',
);
writeFileSync(`${folder}/_headers`, "");

const bench = await openBrowser({ root: folder });
const page = await bench.context.newPage();
await page.goto(bench.url);
const used = await mainThread(page);

/** Milliseconds of main thread time per frame in which the text grew. */
async function perFrame(kind: "markdown" | "plain", bytes: number): Promise<number> {
  await page.evaluate(([how, size]) => window.streaming.open(how, size), [kind, bytes] as const);
  // The first frames still lay out and highlight the initial text.
  await page.evaluate(([pieces]) => window.streaming.grow(pieces, 30), [grow.pieces] as const);
  const before = await used();
  await page.evaluate(([pieces, frames]) => window.streaming.grow(pieces, frames), [grow.pieces, grow.frames] as const);
  const after = await used();
  await page.evaluate(() => window.streaming.close());
  return ((after - before) * 1_000) / grow.frames;
}

const measured = { short: [] as number[], long: [] as number[], plainShort: [] as number[], plainLong: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  measured.plainShort.push(await perFrame("plain", 20_000));
  measured.short.push(await perFrame("markdown", 20_000));
  measured.plainLong.push(await perFrame("plain", 400_000));
  measured.long.push(await perFrame("markdown", 400_000));
}
await bench.close();
const each = (by: (round: number) => number) => median(Array.from({ length: rounds }, (_, round) => by(round)));
const of = (list: readonly number[]) => (round: number) => list[round] ?? Number.NaN;
const [short, long] = [of(measured.short), of(measured.long)];
const [plainShort, plainLong] = [of(measured.plainShort), of(measured.plainLong)];
note(
  `milliseconds of the main thread a frame: after 20 KB ${each(short).toFixed(2)}, as plain text ${each(plainShort).toFixed(2)}; after 400 KB ${each(long).toFixed(2)}, as plain text ${each(plainLong).toFixed(2)}`,
);
goal(
  "streamed markdown against plain text, after 20 KB",
  each((round) => short(round) / plainShort(round)),
  { atMost: 1.4 },
);
goal(
  "streamed markdown against plain text, after 400 KB",
  each((round) => long(round) / plainLong(round)),
  { atMost: 1.4 },
);
goal(
  "after 400 KB against after 20 KB",
  each((round) => long(round) / short(round)),
  { atMost: 1.25 },
);

const whole = await openBrowser();
const tokens = await startTokens(pace);
const app = await whole.context.newPage();
await app.goto(whole.url);
// An empty project shows no editor.
await begin(app);
await app.locator(".editor-mount .cm-content").waitFor();
const first = await startCrowd(app, tokens.url, 1);
await app.goto(`${whole.url}#/dialogs/${first}`);
await until(() => tokens.open === 1);
const tasks = await tasksOfMainThread(whole);
tokens.begin();
await until(() => tokens.open === 0);
const done = await tasks();
const kilobytes = await app.evaluate(async (id) => (await (await fetch(`dialog/${id}`)).json()).markdown.length / 1_000, first);
await tokens.close();
await whole.close();
note(
  `${pace.tokensPerSecond} tokens a second for ${pace.seconds} seconds in the app, ${kilobytes.toFixed(0)} KB: the longest task took ${Math.max(...done).toFixed(0)} ms of processor time`,
);
goal("tasks of the page's main thread with more than 50 ms of processor time", done.filter((ms) => ms > 50).length, { atMost: 0 });
