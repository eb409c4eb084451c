import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import type { CopyAnswer, HistoryAnswer } from "../src/protocol/index.ts";
import type { ClaudeStandIn } from "../tests/stand-in/claude.ts";
import { type App, appOn, expect } from "./app.ts";
import { isWhole } from "./campaign.ts";
import { test } from "./claude-server.ts";
import { check, checkZip, everyKindWasRefused, type Ledger, newLedger, note, type Stage, sum } from "./quota-ledger.ts";
import { answerOf, storeEverything, talk, textOf } from "./quota-scenario.ts";

/**
 * Limits the browser's storage on disk to a number of bytes. Everything that stores something is repeated until each kind was refused. Then
 * everything acknowledged has to be there: with the storage full, after a reload, and after the limit was raised and all continues.
 */

/** Bytes: from too little for opening at all, up to some dozens of docs and turns with a backup next to them. */
const sizes = Array.from({ length: 50 }, (_, at) => 2 * Math.round(20_000 * (5_000_000 / 40_000) ** (at / 49)) + (at % 2));
const some = [sizes[10]].flatMap((size) => size ?? []);
/** The maximum number of rounds, in case nothing is refused. */
const rounds = 20;

const editor = (page: Page) => page.locator("textarea.editor");
const isOpen = (page: Page) => page.getByRole("tablist").first();

/** Whether the app opens. If not, it must say why, and that nothing is lost. */
async function opens(page: Page): Promise<boolean> {
  const told = page.getByText(/storage for this site is full/).first();
  await expect(isOpen(page).or(told).first()).toBeVisible({ timeout: 20_000 });
  // The page's frame appears before the engine has said whether it can start.
  const started = await page.evaluate(() =>
    fetch("files").then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  if (started) return true;
  await expect(told).toBeVisible();
  await expect(page.getByText("Your project wasn't changed.")).toBeVisible();
  return false;
}

/** Checks that typed text that can't be saved stays in the editor, and that the page says why. */
async function typeWithoutRoom({ page }: App, typed: string): Promise<void> {
  await page.goto("./#/docs/doc-main.md");
  await editor(page).fill(typed);
  await editor(page).press("ControlOrMeta+s");
  await expect(page.getByText(/storage is full/).first()).toBeVisible();
  await expect(editor(page)).toHaveValue(typed);
}

/** Fills the space of the reserve and of removed files, too. */
async function fillTheRest(app: App, ledger: Ledger): Promise<void> {
  for (let n = 0; n < 100; n += 1) {
    const content = textOf(`rest ${n}`, 150_000);
    if (!note(ledger, "doc", await app.ask("POST", `file/doc-rest-${n}.md`, { content }))) return;
    ledger.files.set(`vibey/doc-rest-${n}.md`, content);
  }
}

async function copied(app: App): Promise<void> {
  const state = async () => {
    const { kept, trouble } = await app.json<CopyAnswer>("GET", "copy");
    return kept !== null || trouble !== null;
  };
  await expect.poll(state, { timeout: 20_000 }).toBe(true);
}

/** Checks that the user can free space by removing a file. */
async function removeOne(app: App, ledger: Ledger): Promise<void> {
  const path = Array.from(ledger.files.keys()).findLast((each) => each.startsWith("data/"));
  if (path === undefined) return;
  const { status, text } = await app.ask("DELETE", `deed/${path}`);
  if (status === 200) ledger.files.delete(path);
  else ledger.broken.push(`${path} can't be removed from a full storage: ${status} ${text}`);
}

async function saveWithRoom({ page }: App, typed: string): Promise<void> {
  await expect(editor(page)).toHaveValue(typed);
  await editor(page).press("ControlOrMeta+s");
  await expect(page.locator(".status .state")).toHaveText("Saved");
}

for (const size of isWhole ? sizes : some) {
  test(`with room for ${size.toLocaleString("en")} bytes nothing acknowledged is lost, and all goes on when there is more`, {
    tag: "@long",
  }, async ({ start, baseURL }) => {
    test.setTimeout(180_000);
    const profile = mkdtempSync(join(tmpdir(), "vibey-quota-"));
    const { executablePath, args } = test.info().project.use.launchOptions ?? {};
    const context = await chromium.launchPersistentContext(profile, {
      ...(executablePath === undefined ? {} : { executablePath }),
      ...(args === undefined ? {} : { args }),
      ...(baseURL === undefined ? {} : { baseURL }),
      serviceWorkers: "block",
    });
    try {
      const page = await context.newPage();
      await fill(appOn(page), await start(), size, new URL(baseURL ?? "").origin);
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  });
}

async function fill(app: App, server: ClaudeStandIn, size: number, origin: string): Promise<void> {
  const { page } = app;
  const session = await page.context().newCDPSession(page);
  // Only raise the quota: the browser caches for a while how much room there was.
  const room = async (quotaSize: number) => void (await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize }));
  const [ledger, stage]: [Ledger, Stage] = [newLedger(), { app }];
  const play: Parameters<ClaudeStandIn["play"]>[0] = (request) => {
    server.play(play);
    return answerOf(request);
  };
  server.play(play);
  const configure = () => app.ask("PUT", "provider/claude", { apiKey: server.key, baseURL: server.url });
  const typed = `Typed into a full storage. ${textOf("typed", 300_000)}`;

  await room(size);
  await page.goto("./");
  // There may be room for an empty project but for no doc.
  const started = await opens(page);
  const opened = started && (await app.ask("POST", "demo")).status === 200;
  let [again, round] = [false, 0];
  if (opened) {
    await configure();
    // For even sizes, wait first, like a user who doesn't begin at once: the backup and the reserve exist before the storage is full.
    if (size % 2 === 0) await copied(app);
    for (; round < rounds && !everyKindWasRefused(ledger); round += 1) await storeEverything(stage, ledger, round);
    await check(stage, ledger, "while it is full");
    await checkZip(stage, ledger, "while it is full");
    await page.reload();
    again = await opens(page);
    if (again) {
      await check(stage, ledger, "after a reload");
      await configure();
      await removeOne(app, ledger);
      await fillTheRest(app, ledger);
      await typeWithoutRoom(app, typed);
    }
  }

  await room(200_000_000);
  if (again) {
    await saveWithRoom(app, typed);
    ledger.files.set("vibey/doc-main.md", typed);
  } else {
    if (opened || !started) await page.getByRole("button", { name: "Reload" }).click();
    else await page.reload();
    await expect(isOpen(page)).toBeVisible();
    await configure();
  }
  const refused = sum(ledger.refused);
  await storeEverything(stage, ledger, round);
  await talk(stage, ledger, round + 1);
  if (sum(ledger.refused) !== refused) ledger.broken.push(`with room something is refused still: ${JSON.stringify(ledger.refused)}`);
  await page.reload();
  await expect(isOpen(page)).toBeVisible();
  await check(stage, ledger, "with room");
  await checkZip(stage, ledger, "with room");
  // The history and the backup catch up on what they could not write.
  for (const path of ledger.files.keys()) {
    const { commits } = await app.json<HistoryAnswer>("GET", `history?limit=1&path=${encodeURIComponent(path)}`);
    if (commits.length === 0) ledger.broken.push(`the history knows nothing of ${path}`);
  }
  const letters = Array.from(ledger.files.values()).reduce((all, content) => all + content.length, 0);
  await expect.poll(async () => (await app.json<CopyAnswer>("GET", "copy")).kept?.bytes ?? 0, { timeout: 30_000 }).toBeGreaterThan(letters);
  console.log(
    `  ${size} bytes: ${opened ? (again ? "opened" : "opened, and not again before there was room") : "did not open before there was room"}; ` +
      `${sum(ledger.kept)} acknowledged ${JSON.stringify(ledger.kept)}, ${sum(ledger.refused)} refused, ${ledger.files.size} files`,
  );
  expect(ledger.broken).toEqual([]);
}
