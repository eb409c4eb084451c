/** Goal 2: a hundred agents at fifty tokens a second, compared with a page that only reads the same streams. */
import type { Page } from "playwright";
import { type Bench, mainThread, openBrowser } from "./browser.ts";
import { startCrowd, until } from "./many-agents.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";
import { startTokens } from "./token-server.ts";

const agents = Number(process.env["VIBEY_BENCH_AGENTS"] ?? 100);
const pace = { tokensPerSecond: 50, seconds: 8 };
const rounds = 3;

interface Used {
  /** Seconds of processor time: of all the page's threads, and of its main thread alone. */
  readonly all: number;
  readonly main: number;
}

/** The processor time of a page from the first token to the last, minus what it uses in the same time when idle. */
async function measure(bench: Bench, page: Page, open: (url: string) => Promise<void>): Promise<Used> {
  const main = await mainThread(page);
  // By then the work that the app starts after the first paint is done.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const idle = await over(bench, main, () => new Promise((resolve) => setTimeout(resolve, (pace.seconds * 1000) / 2)));
  const tokens = await startTokens(pace);
  await open(tokens.url);
  await until(() => tokens.open === agents);
  const used = await over(bench, main, async () => {
    tokens.begin();
    await until(() => tokens.open === 0);
  });
  await tokens.close();
  return { all: used.all - idle.all * 2, main: used.main - idle.main * 2 };
}

async function over(bench: Bench, main: () => Promise<number>, work: () => Promise<void>): Promise<Used> {
  const [allBefore, mainBefore] = [await bench.cpu(), await main()];
  await work();
  return { all: (await bench.cpu()) - allBefore, main: (await main()) - mainBefore };
}

async function bareReader(): Promise<Used> {
  const bench = await openBrowser();
  const page = await bench.context.newPage();
  const used = await measure(bench, page, async (url) => {
    await page.goto(`${url}/blank`);
    await page.evaluate((count) => {
      const read = async () => {
        const { body } = await fetch("/v1/messages", { method: "POST" });
        const reader = body?.getReader();
        for (let last = reader === undefined; !last; ) last = (await reader?.read())?.done ?? true;
      };
      for (let stream = 0; stream < count; stream += 1) {
        void read();
      }
    }, agents);
  });
  await bench.close();
  return used;
}

async function vibey(screen: "docs" | "dialogs"): Promise<Used> {
  const bench = await openBrowser();
  const page = await bench.context.newPage();
  await page.goto(bench.url);
  await page.getByRole("tablist").first().waitFor();
  const used = await measure(bench, page, async (url) => {
    const first = await startCrowd(page, url, agents);
    await page.goto(`${bench.url}#/${screen === "docs" ? "docs" : `dialogs/${first}`}`);
  });
  await bench.close();
  return used;
}

const rows: { readonly bare: Used; readonly docs: Used; readonly dialogs: Used }[] = [];
for (let round = 0; round < rounds; round += 1) {
  const row = { bare: await bareReader(), docs: await vibey("docs"), dialogs: await vibey("dialogs") };
  rows.push(row);
  const shown = (used: Used) => `${used.all.toFixed(2)} s (main thread ${used.main.toFixed(2)})`;
  note(`bare reader ${shown(row.bare)}; Vibey without a screen ${shown(row.docs)}, with list and live view ${shown(row.dialogs)}`);
}
goal(`${agents} agents, no screen, against a bare reader`, median(rows.map(({ bare, docs }) => docs.all / bare.all)), { atMost: 1.3 });
goal("list and one live view: the page's main thread", median(rows.map(({ bare, dialogs }) => dialogs.main / bare.all)), { atMost: 0.5 });
