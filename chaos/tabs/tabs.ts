import { type BrowserContext, chromium, type Page } from "playwright";
import { approveButton, readToTheEnd } from "../../e2e/hands.ts";
import { chromiumArguments, ensureChromium } from "../../scripts/browser.mjs";
import type { DialogAnswer } from "../../src/protocol/index.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { type ClaudeStandIn, say, startClaude } from "../../tests/stand-in/claude.ts";
import { callsOf } from "../kills/check-dialogs.ts";
import { type Random, randomFrom } from "../random.ts";
import type { Found } from "../report.ts";

const tabCount = 4;
const callsAtOnce = 12;
/** Few calls per turn with clicks: each call has to be scrolled to its end in each tab before it can be clicked, which takes time. */
const callsToClick = 2;

export interface TabsOptions {
  readonly url: string;
  /** The number of calls. */
  readonly times: number;
  readonly seed: number;
  readonly progress?: (line: string) => void;
}

/** Approves each call in four tabs at the same moment, by requests and by double clicks. Each call must run once. */
export async function tabs({ url, times, seed, progress = () => {} }: TabsOptions): Promise<Found> {
  const random = randomFrom(seed);
  const server = await startClaude();
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArguments });
  const broken: string[] = [];
  const sums = { calls: 0, approvals: 0, clicks: 0 };
  try {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const pages = await openTabs(context, url, server);
    for (let round = 0; sums.calls < times && broken.length === 0; round += 1) {
      const byClicks = round % 8 === 1;
      const count = Math.min(byClicks ? callsToClick : callsAtOnce, times - sums.calls);
      const ids = Array.from({ length: count }, (_, n) => `toolu_${round}_${n}`);
      server.play(
        { blocks: ids.map((id) => ({ call: "run_command", id, input: { command: `echo ${id} >> log-${round}.txt` } })) },
        say(`Round ${round} is over.`),
      );
      const dialogId = await begin(pages[random.whole(0, tabCount - 1)] ?? first(pages), round);
      if (byClicks) {
        sums.clicks += await clickInAll(pages, dialogId);
      } else sums.approvals += await approveInAll(pages, dialogId, ids, random);
      broken.push(...(await check(pages[random.whole(0, tabCount - 1)] ?? first(pages), dialogId, round, ids)));
      sums.calls += count;
      if (round % 10 === 9) progress(`${sums.calls} of ${times} calls`);
    }
    const refused = server.requests.filter((request) => request.refused !== null);
    if (refused.length > 0) broken.push(`the provider refused ${refused.length} requests: ${refused[0]?.refused?.message}`);
  } finally {
    await browser.close();
    await server.close();
  }
  return {
    cases: Math.min(sums.calls, sums.approvals + sums.clicks),
    figures: `${sums.calls} calls in ${tabCount} tabs, ${sums.approvals} approvals by request and ${sums.clicks} by double click${broken.length === 0 ? `: ${sums.calls} runs` : ""}`,
    broken,
  };
}

const first = (pages: readonly Page[]): Page => {
  const [page] = pages;
  if (!page) throw new Error("there are no tabs");
  return page;
};

async function openTabs(context: BrowserContext, url: string, server: ClaudeStandIn): Promise<Page[]> {
  const pages: Page[] = [];
  for (let n = 0; n < tabCount; n += 1) {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("tablist").first().waitFor();
    pages.push(page);
  }
  await ask(first(pages), "PUT", "provider/claude", { apiKey: server.key, baseURL: server.url });
  return pages;
}

const ask = (page: Page, method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> =>
  page.evaluate(
    async ([how, where, what]) => {
      const response = await fetch(where, { method: how, ...(what === undefined ? {} : { body: what }) });
      return { status: response.status, text: await response.text() };
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );

/** Starts a dialog whose agent asks for the calls. Returns its id. */
async function begin(page: Page, round: number): Promise<string> {
  const { text } = await ask(page, "POST", "dialog", { provider: "claude", prompt: `Round ${round}`, slug: `round ${round}` });
  const dialogId = /"dialogId":"([^"]+)"/.exec(text)?.[1];
  if (dialogId === undefined || !text.includes("tool_request")) throw new Error(`no call to approve: ${text}`);
  return dialogId;
}

/** Every tab approves all calls in its own order and at the same time: half of the tabs in one request, the others call by call. Returns the number sent. */
async function approveInAll(pages: readonly Page[], dialogId: string, ids: readonly string[], random: Random): Promise<number> {
  const [anyPage] = pages;
  const shown = anyPage && (JSON.parse((await ask(anyPage, "GET", `dialog/${dialogId}`)).text) as DialogAnswer);
  const calls = (shown?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
  const hashOf = (id: string): string => calls.find((call) => call.id === id)?.hash ?? "";
  const hashesOf = (decided: readonly { readonly id: string }[]) => Object.fromEntries(decided.map(({ id }) => [id, hashOf(id)]));
  const at = Date.now() + 200;
  const sent = await Promise.all(
    pages.map((page, tab) => {
      const decisions = random.shuffled(ids).map((id) => ({ id, approved: true }));
      const groups = tab % 2 === 0 ? [decisions] : decisions.map((decision) => [decision]);
      const bodies = groups.map((group) => ({ dialogId, decisions: group, hashes: hashesOf(group) }));
      return page.evaluate(
        async ([all, when]) => {
          await new Promise((resolve) => setTimeout(resolve, when - Date.now()));
          return Promise.all(
            all.map(async (body) => {
              const response = await fetch("dialog", { method: "PUT", body: JSON.stringify(body) });
              await response.text();
              return response.status;
            }),
          );
        },
        [bodies, at] as const,
      );
    }),
  );
  const strange = sent.flat().filter((status) => status !== 200 && status !== 400 && status !== 409);
  if (strange.length > 0) throw new Error(`an approval was answered ${strange.join(", ")}`);
  return ids.length * pages.length;
}

/** Returns the number of clicks. The button may disappear in a tab before the click. */
async function clickInAll(pages: readonly Page[], dialogId: string): Promise<number> {
  for (const page of pages) {
    await page.evaluate((id) => {
      location.hash = `#/dialogs/${id}`;
    }, dialogId);
    await page.bringToFront();
    await readToTheEnd(page);
  }
  const clicks = await Promise.allSettled(pages.map((page) => approveButton(page).dblclick({ force: true, timeout: 5_000 })));
  const clicked = clicks.filter(({ status }) => status === "fulfilled").length;
  if (clicked === 0) throw new Error("the button could be clicked in no tab");
  return clicked;
}

async function check(page: Page, dialogId: string, round: number, ids: readonly string[]): Promise<string[]> {
  const over = `Round ${round} is over.`;
  const until = Date.now() + 60_000;
  let markdown = "";
  while (!markdown.includes(over)) {
    if (Date.now() > until) return [`round ${round} does not end: ${markdown.slice(-500)}`];
    await new Promise((resolve) => setTimeout(resolve, 50));
    markdown = (JSON.parse((await ask(page, "GET", `dialog/${dialogId}`)).text) as { markdown: string }).markdown;
  }
  const broken: string[] = [];
  const lines = (await ask(page, "GET", `deed/log-${round}.txt`)).text.split("\n").filter((line) => line !== "");
  for (const id of ids) {
    const runs = lines.filter((line) => line === id).length;
    if (runs !== 1) broken.push(`${id} ran ${runs} times`);
  }
  if (lines.length !== ids.length) broken.push(`round ${round}: ${lines.length} runs of ${ids.length} calls`);
  const calls = callsOf(parseDialog(markdown));
  for (const call of calls)
    if (call.decision !== "approved" || !JSON.stringify(call.result ?? null).includes('"success":true'))
      broken.push(`${call.id} is ${call.decision} with ${JSON.stringify(call.result)}`);
  if (calls.length !== ids.length) broken.push(`round ${round}: the file has ${calls.length} calls of ${ids.length}`);
  return broken;
}
