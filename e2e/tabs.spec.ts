import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { chromiumArguments, ensureChromium } from "../scripts/browser.mjs";
import { type ClaudeStandIn, say as answer } from "../tests/stand-in/claude.ts";
import { type App, expect } from "./app.ts";
import { test } from "./claude-server.ts";
import { approveButton, enterKey, messages, openNewDialog, readToTheEnd, say } from "./hands.ts";

/** Several tabs, one engine: what each tab shows and can do, and what happens when the tab with the engine goes away. */

declare global {
  interface Window {
    engines?: Worker[];
    /** Messages on the channel that all tabs' workers receive. */
    lobby?: string[];
  }
}

const asked = (server: ClaudeStandIn) => server.requests.filter(({ path }) => path === "/v1/messages");
const doing = (page: Page) => page.locator(".dialog-head .doing");
const talk = (words: number) => ({ blocks: [{ text: "word ".repeat(words) }], faults: { pieceBytes: 300, pieceMs: 30 } });

/** Opens the first tab, which has the engine, with a key and a dialog. */
async function openFirst(app: App, server: ClaudeStandIn, slug: string): Promise<string> {
  await app.open();
  await enterKey(app.page, { key: server.key, address: server.url });
  return openNewDialog(app.page, { provider: "claude", slug });
}

async function openTab(context: BrowserContext, hash = ""): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`./${hash}`);
  await expect(page.getByRole("tablist").first()).toBeVisible();
  return page;
}

const openDialog = async (context: BrowserContext, id: string): Promise<Page> => {
  const page = await openTab(context, `#/dialogs/${id}`);
  await expect(page.locator(".dialog-head")).toBeVisible();
  return page;
};

const ask = (page: Page, method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> =>
  page.evaluate(
    async ([how, where, what]) => {
      const response = await fetch(where, { method: how, ...(what === undefined ? {} : { body: what }) });
      return { status: response.status, text: await response.text() };
    },
    [method, path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );

/** The number of workers that run the engine, and the number of relays. */
const roles = (page: Page): Promise<readonly [engines: number, relays: number]> =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    const count = (start: string) => held.filter(({ name }) => name?.startsWith(start)).length;
    return [count("vibey-project-engine"), count("vibey-project-line-")] as const;
  });

/** Waits until the next tab has taken over. Requests sent to the old tab in its last moment fail: their outcome is unknown. */
async function takenOver(page: Page, relays: number): Promise<void> {
  await expect.poll(() => roles(page)).toEqual([1, relays]);
  await expect.poll(() => ask(page, "GET", "files").then(({ status }) => status, String)).toBe(200);
}

test("two tabs work on one project: each sees what the other does, and the provider is asked once", async ({ app, context, start }) => {
  const server = await start();
  const id = await openFirst(app, server, "shared");
  const other = await openDialog(context, id);
  server.play(answer("Heard in both."), answer("And once more."));
  await say(other, "From the second");
  for (const page of [app.page, other]) await expect(messages(page)).toContainText("Heard in both.");
  await say(app.page, "From the first");
  for (const page of [app.page, other]) await expect(messages(page)).toContainText("And once more.");
  expect(asked(server).map(({ refused }) => refused)).toEqual([null, null]);
  expect(await roles(other)).toEqual([1, 1]);

  await ask(other, "POST", "file/doc-mine.md", { content: "Mine.\n" });
  await app.page.getByRole("tab", { name: "Docs" }).click();
  await expect(app.page.getByRole("link", { name: "mine" })).toBeVisible();
  expect(app.complaints).toEqual([]);
});

test("both tabs approve at once, with double clicks: the call runs once", async ({ app, context, start }) => {
  const server = await start();
  const id = await openFirst(app, server, "approved");
  const other = await openDialog(context, id);
  server.play({ blocks: [{ call: "run_command", id: "toolu_1", input: { command: "echo x >> log.txt" } }] }, answer("It ran."));
  await say(app.page, "Go");
  const pages = [app.page, other];
  for (const page of pages) {
    await readToTheEnd(page);
    await expect(approveButton(page)).toBeEnabled();
  }
  // The button may disappear in the slower tab before it is clicked there. At least one double click must succeed.
  const clicks = await Promise.allSettled(pages.map((page) => approveButton(page).dblclick({ force: true, timeout: 5_000 })));
  expect(clicks.map(({ status }) => status)).toContain("fulfilled");
  for (const page of pages) await expect(messages(page)).toContainText("It ran.");
  expect((await ask(other, "GET", "deed/log.txt")).text).toBe("x\n");
  expect(asked(server)).toHaveLength(2);
});

test("a tab that is opened while an agent writes sees it grow, to the same end", { tag: "@long" }, async ({ app, context, start }) => {
  const server = await start();
  const id = await openFirst(app, server, "watched");
  let sendRest = () => {};
  const stallUntil = new Promise<void>((resolve) => {
    sendRest = resolve;
  });
  server.play({ blocks: [{ text: `${"word ".repeat(80)}The end.` }], faults: { stallAfterBytes: 2_000, stallUntil } });
  await say(app.page, "Talk");
  await expect(messages(app.page)).toContainText("word word word");
  const other = await openDialog(context, id);
  await expect(doing(other)).toHaveClass(/doing-active/);
  await expect(messages(other)).toContainText("word word word");
  sendRest();
  for (const page of [app.page, other]) await expect(messages(page)).toContainText("The end.");
  const files = await Promise.all([app.page, other].map((page) => ask(page, "GET", `dialog/${id}`)));
  expect(files[0]?.text).toBe(files[1]?.text);
  expect(asked(server)).toHaveLength(1);
});

/** Ends a tab's engine in every way in which it can end. */
const ends: readonly (readonly [string, (page: Page, context: BrowserContext) => Promise<void>])[] = [
  ["is closed", (page) => page.close()],
  ["is reloaded", async (page) => void (await page.reload())],
  ["goes to another site", async (page) => void (await page.goto("about:blank"))],
  [
    "crashes",
    async (page, context) => {
      const session = await context.newCDPSession(page);
      const crashed = page.waitForEvent("crash");
      void session.send("Page.crash").catch(() => undefined);
      await crashed;
    },
  ],
  ["loses its worker", (page) => page.evaluate(() => window.engines?.forEach((engine) => engine.terminate()))],
];

/** Ends that look the same as another one from the other tab. */
const long = ["goes to another site", "is closed", "is reloaded", "loses its worker"];

for (const [way, end] of ends) {
  test(`the tab with the engine ${way} while an agent writes: the other goes on where it was`, {
    tag: long.includes(way) ? "@long" : [],
  }, async ({ app, context, start }) => {
    await context.addInitScript(() => {
      window.engines = [];
      window.Worker = class extends Worker {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(url, options);
          // Other workers of the page, which read Markdown, don't count.
          if (String(url).includes("engine/worker")) window.engines?.push(this);
        }
      };
    });
    const server = await start();
    const id = await openFirst(app, server, "taken-over");
    const other = await openDialog(context, id);
    server.play(talk(4_000));
    await say(app.page, "Talk");
    await expect(messages(other)).toContainText("word word word");
    await end(app.page, context);
    await expect(messages(other)).toContainText("Interrupted here");
    expect(await asked(server)[0]?.left).toBe(true);
    // The key was handed over, so the new tab doesn't ask for it.
    server.play(answer("Taken over."));
    await other.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(messages(other)).toContainText("Taken over.");
    expect(asked(server).map(({ refused }) => refused)).toEqual([null, null]);
    expect(await roles(other)).toEqual([1, way === "is reloaded" ? 1 : 0]);
    expect(await other.evaluate(() => window.engines?.length)).toBe(1);
    if (way !== "is reloaded") return;
    // The reloaded tab is a relay now and also knows the key.
    await expect(messages(app.page)).toContainText("Taken over.");
    server.play(answer("Both again."));
    await say(app.page, "Go on");
    for (const page of [app.page, other]) await expect(messages(page)).toContainText("Both again.");
  });
}

test("three tabs: whichever goes, the others go on, to the last", { tag: "@long" }, async ({ app, context, start }) => {
  const server = await start();
  const id = await openFirst(app, server, "three");
  const [second, third] = [await openDialog(context, id), await openDialog(context, id)];
  server.play(answer("One."), answer("Two."), answer("Three."), answer("Four."));
  await say(third, "1");
  for (const page of [app.page, second, third]) await expect(messages(page)).toContainText("One.");
  expect(await roles(third)).toEqual([1, 2]);
  await app.page.close();
  await takenOver(third, 1);
  await say(third, "2");
  for (const page of [second, third]) await expect(messages(page)).toContainText("Two.");
  const fourth = await openDialog(context, id);
  await second.close();
  await takenOver(fourth, 1);
  await say(fourth, "3");
  for (const page of [third, fourth]) await expect(messages(page)).toContainText("Three.");
  await third.close();
  await takenOver(fourth, 0);
  await say(fourth, "4");
  await expect(messages(fourth)).toContainText("Four.");
  expect(asked(server).map(({ refused }) => refused)).toEqual([null, null, null, null]);
});

test("a tab with the engine that hangs is replaced after five seconds, and is a relay when it wakes", { tag: "@long" }, async ({
  app,
  context,
  start,
}) => {
  const server = await start();
  const id = await openFirst(app, server, "hanging");
  const other = await openDialog(context, id);
  server.play(talk(4_000));
  await say(app.page, "Talk");
  await expect(messages(other)).toContainText("word word word");
  const [engine] = app.page.workers().filter((worker) => worker.url().includes("/engine/worker"));
  const awake = engine?.evaluate(() => {
    const until = Date.now() + 12_000;
    while (Date.now() < until);
  });
  // This request fails after five seconds, because its outcome is unknown. Then the new engine answers.
  await ask(other, "GET", "files").catch(() => undefined);
  await expect(messages(other)).toContainText("Interrupted here", { timeout: 60_000 });
  server.play(answer("Taken over."));
  await other.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(messages(other)).toContainText("Taken over.");
  await awake?.catch(() => undefined);
  await expect(messages(app.page)).toContainText("Taken over.");
  server.play(answer("As a relay."));
  await say(app.page, "Go on");
  for (const page of [app.page, other]) await expect(messages(page)).toContainText("As a relay.");
  expect(await asked(server)[0]?.left).toBe(true);
  expect(asked(server)).toHaveLength(3);
});

test("keys: known in every tab, forgotten in every tab, and said on no channel that all hear", async ({ app, context, start }) => {
  const server = await start();
  await app.open();
  const other = await openTab(context);
  await other.evaluate(() => {
    window.lobby = [];
    new BroadcastChannel("vibey-project-tabs").addEventListener("message", ({ data }) => window.lobby?.push(JSON.stringify(data)));
  });
  await ask(other, "PUT", "provider/claude", { apiKey: server.key, baseURL: server.url });
  const third = await openTab(context);
  const configured = (page: Page) =>
    ask(page, "GET", "provider/claude").then(({ text }) => (JSON.parse(text) as { configured: boolean }).configured);
  expect(await Promise.all([app.page, other, third].map(configured))).toEqual([true, true, true]);
  await app.page.close();
  // A request on its way to the closed tab fails: its outcome is unknown.
  for (const page of [other, third]) await expect.poll(() => configured(page).catch(() => null)).toBe(true);
  await ask(third, "PUT", "provider/claude", { apiKey: "" });
  expect(await configured(other)).toBe(false);
  const said = await other.evaluate(() => window.lobby ?? []);
  expect(said.length).toBeGreaterThan(1);
  expect(said.join("\n")).not.toContain(server.key);
  await other.close();
  await expect.poll(() => configured(third).catch(() => null)).toBe(false);
});

test("an error that nobody catches in the engine's worker takes nothing from the screen", { tag: "@long" }, async ({ app, start }) => {
  const server = await start();
  await openFirst(app, server, "standing");
  const [engine] = app.page.workers().filter((worker) => worker.url().includes("/engine/worker"));
  await engine?.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener("error", resolve);
        setTimeout(() => {
          throw new Error("nobody's");
        });
      }),
  );
  server.play(answer("Still here."));
  await say(app.page, "Are you there?");
  await expect(messages(app.page)).toContainText("Still here.");
});

test("a browser that blocks a site's data is told so, and shown no empty page", { tag: "@long" }, async ({ baseURL }) => {
  const profile = mkdtempSync(join(tmpdir(), "vibey-profile-"));
  mkdirSync(join(profile, "Default"));
  const blocked = { profile: { default_content_setting_values: { cookies: 2 } } };
  writeFileSync(join(profile, "Default", "Preferences"), JSON.stringify(blocked));
  const context = await chromium.launchPersistentContext(profile, { executablePath: ensureChromium(), args: chromiumArguments });
  try {
    const page = await context.newPage();
    await page.goto(baseURL ?? "");
    await expect(page.getByRole("heading", { name: "Vibey couldn't start" })).toBeVisible();
    await expect(page.getByText("cookies and site data are blocked")).toBeVisible();
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
});
