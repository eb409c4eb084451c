import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import JSZip from "jszip";
import type { Page } from "playwright";
import { parseDialog } from "../../src/dialog/parse.ts";
import { type ClaudeStandIn, startClaude } from "../../tests/stand-in/claude.ts";
import { launchKillable } from "../killable.ts";
import { type Random, randomFrom } from "../random.ts";
import type { Found as Report } from "../report.ts";
import { callsOf, checkDialogs } from "./check-dialogs.ts";
import { drive, type Orders } from "./driver.ts";
import { type Ack, checkFiles, checkZip, type Ledger, newLedger, note } from "./ledger.ts";
import { type Found, look } from "./look.ts";
import { checkLoss, lostIn } from "./loss.ts";
import { playForEver } from "./turns.ts";

const names = ["doc-first.md", "doc-second.md", "doc-third.md", "made/one.txt", "made/two.txt"];
const lanes = 3;
/** The number of dialogs that are kept and checked after each restart. The oldest beyond this are removed. */
const keptDialogs = 12;
/** Kills per profile, so that the project stays small. */
const killsOfAProfile = 100;

export interface KillsOptions {
  /** The address of the served app. */
  readonly url: string;
  readonly times: number;
  readonly seed: number;
  readonly progress?: (line: string) => void;
}

/**
 * Kills the whole browser at random moments while the page writes docs and files, runs dialogs, takes zips and reads the history.
 * After each restart everything that was acknowledged has to be there.
 */
export async function kills({ url, times, seed, progress = () => {} }: KillsOptions): Promise<Report> {
  const random = randomFrom(seed);
  const sums = { kills: 0, atStart: 0, writes: 0, zips: 0, dialogs: 0, thrownAway: 0, restored: 0 };
  const broken: string[] = [];
  while (sums.kills < times && broken.length === 0) {
    const profile = mkdtempSync(join(tmpdir(), "vibey-kills-"));
    const ledger = newLedger();
    const server = await startClaude();
    playForEver(server, random);
    try {
      const most = Math.min(killsOfAProfile, times - sums.kills);
      for (let round = 0; round <= most && ledger.broken.length === 0 && ledger.loss === null; round += 1) {
        const atStart = round < most && random.next() < 0.15;
        const killed = await oneLife({ url, profile, ledger, server, random, round, last: round === most, atStart });
        if (!killed) continue;
        sums.kills += 1;
        if (atStart) sums.atStart += 1;
        progress(`${sums.kills} of ${times} kills, ${sums.writes + ledger.writes} writes acknowledged`);
      }
      for (const { refused } of server.requests) if (refused) ledger.broken.push(`the provider refused: ${refused.message}`);
    } finally {
      await server.close();
      if (ledger.loss) sums.thrownAway += 1;
      if (ledger.loss?.restored) sums.restored += 1;
      if (ledger.broken.length === 0) rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
      else ledger.broken.push(`the profile is kept: ${profile}`);
    }
    sums.writes += ledger.writes;
    sums.zips += ledger.zips;
    sums.dialogs += ledger.dialogs.size;
    broken.push(...ledger.broken.map((what) => `after kill ${sums.kills}: ${what}`));
  }
  // A check that never ran proves nothing.
  if (sums.kills >= 20 && sums.zips === 0) broken.push(`in ${sums.kills} lives of the page no zip was ready before it was killed`);
  const { thrownAway, restored } = sums;
  const thrown =
    thrownAway === 0
      ? ""
      : `; ${thrownAway} times the browser threw its own database away: told each time, ${restored} times restored from the second copy`;
  const held = broken.length === 0 ? ", 0 lost, 0 torn, one file per dialog" : "";
  return {
    cases: Math.min(sums.kills, sums.writes),
    figures: `${sums.kills} kills of the browser (${sums.atStart} while it started), ${sums.writes} acknowledged writes, ${sums.dialogs} dialogs, ${sums.zips} zips${held}${thrown}`,
    broken,
  };
}

interface Life {
  readonly url: string;
  readonly profile: string;
  readonly ledger: Ledger;
  readonly server: ClaudeStandIn;
  readonly random: Random;
  readonly round: number;
  /** Only checks; doesn't kill. */
  readonly last: boolean;
  /** Kills before the page is ready. */
  readonly atStart: boolean;
}

/** One run of the browser from start to end. Returns whether it was killed at work. */
async function oneLife({ url, profile, ledger, server, random, round, last, atStart }: Life): Promise<boolean> {
  const browser = await launchKillable(profile);
  const zips: Promise<void>[] = [];
  try {
    const page = await browser.newPage();
    if (atStart) {
      // Killing the browser rejects this pending navigation.
      page.goto(url).catch(() => undefined);
      await wait(random.whole(0, 1_200));
      await browser.kill();
      return true;
    }
    const opened = performance.now();
    await page.goto(url);
    const instead = await opens(page, profile);
    if (instead === "lost") {
      // The profile ends here. From now on the ledger promises only what the backup has, and the next kills couldn't tell that from a loss.
      const answer = await lostIn(page);
      ledger.loss = answer
        ? await checkLoss(page, profile, ledger, names, answer)
        : { broken: ["the recovery page shows, and nothing is lost"], restored: false };
      ledger.broken.push(...ledger.loss.broken);
      return false;
    }
    if (instead !== null) {
      ledger.broken.push(instead);
      return false;
    }
    // Adapts to the speed of the machine, so that a zip is under way when the kill comes.
    const most = Math.max(2_500, 1.5 * (performance.now() - opened));
    const found = await page.evaluate(look, [names, ledger.commit] as const).catch((error: unknown) => {
      ledger.broken.push(`the project can't be read: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    });
    if (!found) return false;
    ledger.broken.push(...checkFiles(ledger, found.versions), ...checkDialogs(ledger, found), ...found.history);
    forgetRemoved(ledger, found);
    if (last || ledger.broken.length > 0) return false;

    await listen(page, (ack) => {
      note(ledger, ack);
      if (ack.of === "zip") zips.push(readZip(ledger, ack));
    });
    const orders = ordersFor(ledger, found, round, server);
    let dying = false;
    page.evaluate(drive, orders).catch((error: unknown) => {
      if (!dying) ledger.broken.push(`the page stopped by itself: ${String(error)}`);
    });
    await wait(random.whole(50, Math.round(most)));
    dying = true;
    await browser.kill();
    return true;
  } finally {
    await browser.kill();
    await Promise.all(zips);
  }
}

/** Waits for the app. Null if it opened, `lost` for the recovery page, else what the page shows instead; the profile then has a screenshot. */
async function opens(page: Page, profile: string): Promise<string | null> {
  const app = page.getByRole("tablist").first();
  const recovery = page.getByRole("heading", { level: 1, name: /^(?:Your project|No project)/ });
  try {
    await app.or(recovery).first().waitFor();
    // The tabs appear before the engine has checked the project. If it is lost, the recovery page replaces them.
    await page.evaluate(async () => void (await fetch("files")));
    return (await lostIn(page)) === null ? null : "lost";
  } catch (error) {
    await page.screenshot({ path: join(profile, "instead.png") });
    const shown = await page.locator("body").innerText();
    const databases = await page.evaluate(() => indexedDB.databases());
    const seen = JSON.stringify({ shown, databases });
    return `the app did not open: ${error instanceof Error ? error.name : String(error)}; the page shows ${seen}`;
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function listen(page: Page, take: (ack: Ack) => void): Promise<void> {
  await page.exposeBinding("acknowledged", (_source, ack: Ack) => take(ack));
}

async function readZip(ledger: Ledger, { base64, atLeast }: Ack & { readonly of: "zip" }): Promise<void> {
  const zip = await JSZip.loadAsync(base64, { base64: true, checkCRC32: true });
  const contents = new Map<string, string>();
  for (const [name, file] of Object.entries(zip.files)) if (!file.dir) contents.set(name, await file.async("string"));
  ledger.broken.push(...checkZip(contents, atLeast));
  for (const [name, text] of contents)
    if (name.startsWith("vibey/dialog-") && parseDialog(text).format !== 1) ledger.broken.push(`in a zip ${name} is torn`);
}

/** Marks dialogs that are certainly removed, so that they are no longer checked. */
function forgetRemoved(ledger: Ledger, found: Found): void {
  const there = new Set(found.listing.map(({ dialogId }) => dialogId));
  for (const id of ledger.leaving) {
    const promised = ledger.dialogs.get(id);
    if (promised && !there.has(id)) promised.removed = true;
  }
  ledger.leaving.clear();
}

function ordersFor(ledger: Ledger, found: Found, round: number, server: ClaudeStandIn): Orders {
  const oldest = found.listing.toSorted((a, b) => (a.filename < b.filename ? -1 : 1));
  const remove = oldest
    .slice(0, Math.max(0, oldest.length - keptDialogs))
    .map(({ dialogId: id, filename }) => ({ id, filename }))
    // A dialog whose creation was killed before its acknowledgement isn't in the ledger.
    .filter(({ id }) => ledger.dialogs.has(id));
  for (const { id } of remove) ledger.leaving.add(id);
  const interrupted = oldest.filter(
    ({ dialogId, status }) => status === "waiting" && ledger.dialogs.has(dialogId) && !ledger.leaving.has(dialogId),
  );
  const goOn = interrupted.slice(-lanes).map(({ dialogId: id }) => {
    const calls = callsOf(parseDialog(found.dialogs[id]?.markdown ?? ""));
    // A prompt found now was stored without an acknowledgement. From now on it must stay.
    const promised = ledger.dialogs.get(id);
    const prompts = parseDialog(found.dialogs[id]?.markdown ?? "").sections.filter(({ role }) => role === "user");
    if (promised && prompts.length > promised.prompts.length) {
      const [text] = prompts.at(-1)?.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])) ?? [];
      if (text !== undefined) promised.prompts.push(text);
    }
    return {
      id,
      prompt: `Go on after ${round}`,
      undecided: calls.filter(({ decision, result }) => decision === null && result === undefined).map((call) => call.id),
    };
  });
  return {
    versions: Object.fromEntries(names.map((name) => [name, (ledger.files.get(name) ?? 0) + 1])),
    lanes: Array.from({ length: lanes }, (_, lane) => `t${round}-${lane}`),
    goOn,
    remove,
    key: server.key,
    baseURL: server.url,
  };
}
