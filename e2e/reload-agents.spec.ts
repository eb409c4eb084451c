// Five working agents, interrupted at some of the commits; tests/engine/scheduler covers all commits. At every point each dialog is one
// whole file, nothing ran twice, queued agents continue by themselves, and "Continue" leads to the end.
import type { Browser, Page } from "@playwright/test";
import { startWire, type Wire, type WireName } from "../tests/stand-in/wire.ts";
import { expect, test } from "./app.ts";
import { dialogs } from "./steps.ts";
import { putState, type StoredState } from "./stored-state.ts";
import { everybody, expectDone, expectWhole, family, get, logOf, main, playTeam } from "./team.ts";

declare global {
  interface Window {
    /** Called after each commit of the store. */
    onCommit?: (count: number) => void;
    /** Reports to the test. */
    interrupted?: () => Promise<void>;
    engines?: Worker[];
  }
}

/** What happens to the page with the engine. The page does it itself, so that little happens in between. `takeover`: another tab takes over. */
type Way = "reload" | "kill" | "takeover";

/** Prepares the page before any script of the app runs: records its workers, and counts commits once asked to. */
function watchCommits(): void {
  window.engines = [];
  window.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      window.engines?.push(this);
    }
  };
  let count = 0;
  new BroadcastChannel("vibey-project").addEventListener("message", () => {
    if (!window.onCommit) return;
    count += 1;
    window.onCommit(count);
  });
}

const useWire = (page: Page, wire: Wire) =>
  page.evaluate(
    async ([provider, settings]) => {
      await fetch(`provider/${provider}`, { method: "PUT", body: settings });
    },
    [wire.provider, JSON.stringify({ apiKey: wire.key, baseURL: wire.url, model: wire.model })] as const,
  );

/** Writes main.md, begins the lead's dialog, and approves every requested command until no agent works. One script, so that it ends with the page. */
function work(page: Page, begin: { readonly main: string; readonly provider: string } | null): Promise<void> {
  return page.evaluate(async (first) => {
    const send = async (method: string, path: string, body: unknown) => {
      const response = await fetch(path, { method, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.text();
    };
    const ask = async (path: string) => (await fetch(path)).json();
    const going: Promise<unknown>[] = [];
    if (first !== null) {
      await send("POST", "file/doc-main.md", { content: first.main });
      going.push(send("POST", "dialog", { provider: first.provider, slug: "lead", prompt: "lead: begin." }));
    }
    const answered = new Set<string>();
    for (;;) {
      const list: { dialogId: string; status: string; waitingFor: string | null }[] = await ask("dialogs");
      const asking = list.filter(({ waitingFor }) => waitingFor === "leave");
      for (const { dialogId } of asking) {
        const { messages } = await ask(`dialog/${dialogId}`);
        const pending: { id: string; hash: string }[] = messages.flatMap(
          ({ parts }: { parts: { kind: string; call: { id: string; state: string; hash: string } }[] }) =>
            parts.flatMap((part) => (part.kind === "call" && part.call.state === "pending" ? [part.call] : [])),
        );
        const decisions = pending.map(({ id }) => ({ id, approved: true }));
        const hashes = Object.fromEntries(pending.map(({ id, hash }) => [id, hash]));
        const key = JSON.stringify([dialogId, decisions]);
        if (decisions.length === 0 || answered.has(key)) continue;
        answered.add(key);
        going.push(send("PUT", "dialog", { dialogId, decisions, hashes }));
      }
      if (list.length > 0 && asking.length === 0 && list.every(({ status }) => status !== "active")) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await Promise.all(going);
  }, begin);
}

/** The page in which work can continue after the interruption; null if there were fewer commits and everything is done. */
async function interruptAt(at: number, way: Way, page: Page, other: Page | null, wire: Wire, doc: string): Promise<Page | null> {
  let after: Promise<Page> | undefined;
  let wake = () => {};
  const interrupting = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const next = async () => {
    if (way === "reload") await page.waitForEvent("load");
    if (way === "kill") await page.reload();
    if (other === null) return page;
    await page.close();
    return other;
  };
  await page.exposeBinding("interrupted", () => {
    after ??= next();
    wake();
  });
  await page.evaluate(
    ([n, reloads]) => {
      window.onCommit = (count) => {
        if (count !== n) return;
        void window.interrupted?.();
        if (reloads) location.reload();
        else for (const engine of window.engines ?? []) engine.terminate();
      };
    },
    [at, way === "reload"] as const,
  );
  await Promise.race([
    work(page, { main: doc, provider: wire.provider }).catch((error: unknown) => {
      // The page is gone. Without an interruption that is an error.
      if (after === undefined) throw error;
    }),
    interrupting,
  ]);
  // Don't count commits after the work.
  if (after === undefined) await page.evaluate(() => delete window.onCommit).catch(() => interrupting);
  return after === undefined ? null : after;
}

/** Continues all interrupted dialogs with one click. Returns their number. */
async function resume(page: Page): Promise<number> {
  const list = dialogs(page);
  const listed = await get<{ dialogId: string; waitingFor: string | null }[]>(page, "dialogs");
  const broken = listed.filter(({ waitingFor }) => waitingFor === "interrupted");
  // The list is shown next to an open dialog.
  await page.evaluate((dialogId) => {
    location.hash = `#/dialogs/${dialogId}`;
  }, listed[0]?.dialogId ?? "");
  await expect(list.getByText("interrupted")).toHaveCount(broken.length);
  if (broken.length > 1) {
    await list.getByRole("button", { name: "Continue all" }).click();
  } else if (broken.length === 1) {
    await list.getByRole("link").filter({ hasText: "interrupted" }).click();
    await page.getByRole("button", { name: "Continue", exact: true }).click();
  }
  await expect(list.getByText("interrupted")).toHaveCount(0);
  return broken.length;
}

interface Given {
  readonly browser: Browser;
  readonly baseURL: string | undefined;
  readonly firstProject: StoredState;
}

interface Campaign {
  readonly wire: WireName;
  readonly ways: readonly Way[];
  /** The commits at which it is interrupted. The last ones may be past the end. */
  readonly at: readonly number[];
  readonly doc: string;
}

async function run(campaign: Campaign, { browser, baseURL, firstProject }: Given): Promise<string[]> {
  const points: string[] = [];
  for (const at of campaign.at) {
    const way = campaign.ways[points.length % campaign.ways.length] ?? "reload";
    const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }), serviceWorkers: "block" });
    await putState(context, firstProject);
    const errors: string[] = [];
    context.on("weberror", (error) => errors.push(error.error().message));
    await context.addInitScript(watchCommits);
    const wire = await startWire(campaign.wire);
    const team = playTeam(wire, family(wire));
    await test.step(`commit ${at}, ${way}`, async () => {
      const first = await context.newPage();
      await first.goto("./");
      await useWire(first, wire);
      const other = way === "takeover" ? await context.newPage() : null;
      await other?.goto("./");
      const next = await interruptAt(at, way, first, other, wire, campaign.doc);
      const page = next ?? first;
      const found = await expectWhole(page);
      // Queued agents stay queued; after a reload they also wait for the key. No other agent looks active.
      const kinds = found.flatMap(({ status, activity }) => (status === "active" ? [activity?.kind] : []));
      if (other === null) expect(kinds.filter((kind) => kind !== "queued")).toEqual([]);
      else expect(kinds).toEqual([]);
      if (next !== null) {
        // Another tab knows the key; a reload forgets it.
        if (other === null) await useWire(page, wire);
        points.push(`${at} ${way}: ${found.length} dialogs, ${await resume(page)} resumed`);
        await work(page, found.length === 0 ? { main: campaign.doc, provider: wire.provider } : null);
      }
      await expectDone(page);
      await expectWhole(page);
      if (next === null) expect(await logOf(page)).toEqual([...everybody]);
      expect(team.problems).toEqual([]);
      const taken = wire.requests.slice(wire.requests.findIndex(({ refused }) => refused === null));
      expect(taken.flatMap(({ refused }) => refused ?? [])).toEqual([]);
    });
    expect(errors).toEqual([]);
    await wire.close();
    await context.close();
  }
  return points;
}

// The agents run in parallel, so the same commit number is not the same moment in each run.
const campaigns: readonly (readonly [string, Campaign])[] = [
  ["the page is reloaded", { wire: "chat", ways: ["reload", "kill"], at: [2, 13, 24, 35], doc: main() }],
  [
    "two at a time, the page is reloaded",
    { wire: "messages", ways: ["kill", "reload"], at: [6, 17, 28, 39], doc: main("Limit: agents 2") },
  ],
  ["another tab takes over", { wire: "responses", ways: ["takeover"], at: [10, 21, 32, 43], doc: main() }],
];

for (const [title, campaign] of campaigns)
  test(`agents at work, ${title} at a commit: they go on to the end`, { tag: "@long" }, async ({ browser, baseURL, firstProject }) => {
    const points = await run(campaign, { browser, baseURL, firstProject });
    console.log(`${campaign.wire}\n  ${points.join("\n  ")}`);
    expect(points.length).toBeGreaterThan(2);
  });
