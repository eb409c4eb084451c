import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Page } from "playwright";
import { type Killable, launchKillable } from "../killable.ts";
import { randomFrom } from "../random.ts";
import type { Found } from "../report.ts";
import { hasThrownAway, startsOf } from "../torn.ts";
import { choose, damageCopy, damageRecords, readAll, sumsOfCopy, whatIsAsked, write } from "./in-page.ts";

export interface DamageOptions {
  /** The address of the served app. */
  readonly url: string;
  /** How often each pair of damages is tried. */
  readonly times: number;
  /** The seed for the order of the cases. */
  readonly seed: number;
  /** Tries only cases whose title contains this text. */
  readonly only: string;
  readonly progress: (line: string) => void;
}

/** Copies of the profile on disk at three moments. */
interface Profiles {
  /** When half of the project was written. */
  readonly earlier: string;
  /** When all of it was written. */
  readonly last: string;
  /** The earlier profile with another second half written. */
  readonly fork: string;
}

interface Damage {
  readonly title: string;
  /** Runs while the browser is closed. */
  readonly onDisk?: (profile: string, profiles: Profiles) => void;
  /** Runs in a page of the origin before Vibey opens. */
  readonly inPage?: (page: Page) => Promise<void>;
}

const records = (title: string, what: string): Damage => ({ title, inPage: (page) => page.evaluate(damageRecords, what) });
const copies = (title: string, what: string): Damage => ({ title, inPage: (page) => page.evaluate(damageCopy, what) });
const databases = "Default/IndexedDB";
const privateFiles = "Default/File System";

function replace(profile: string, from: string, folder: string): void {
  rmSync(join(profile, folder), { recursive: true, force: true });
  cpSync(join(from, folder), join(profile, folder), { recursive: true });
}

/** Leaves out the lock of the killed browser. */
function copyProfile(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (path) => !basename(path).startsWith("Singleton") });
}

const none: Damage = { title: "nothing" };
const titleOf = (one: Damage, other: Damage) => `${one.title} and ${other.title}`;

const ofDatabase: readonly Damage[] = [
  records("the database deleted", "delete database"),
  records("the database emptied", "empty database"),
  { title: "the log cut in half", onDisk: (profile) => cutLog(profile) },
  { title: "all databases rolled back", onDisk: (profile, { earlier }) => replace(profile, earlier, databases) },
  { title: "all databases on another branch", onDisk: (profile, { fork }) => replace(profile, fork, databases) },
  records("the list of files emptied", "empty names"),
  records("the contents emptied", "empty pieces"),
  records("one record removed", "remove record"),
  records("one piece removed", "remove piece"),
  records("one piece changed", "change piece"),
];

const ofOthers: readonly Damage[] = [
  copies("the copy deleted", "delete copy"),
  copies("the copy cut", "cut copy"),
  copies("the copy garbled", "garble copy"),
  { title: "the private files rolled back", onDisk: (profile, { earlier }) => replace(profile, earlier, privateFiles) },
  copies("the note deleted", "delete note"),
  records("the settings deleted", "delete settings"),
];

/** Cuts the newest log of each LevelDB in half, like a disk that lost its end. */
function cutLog(profile: string): void {
  const logs: string[] = [];
  for (const file of readdirSync(join(profile, databases), { recursive: true, encoding: "utf8" }))
    if (/leveldb[/\\]\d+\.log$/.test(file)) logs.push(join(profile, databases, file));
  if (logs.length === 0) throw new Error("the browser keeps no LevelDB log");
  for (const log of logs) truncateSync(log, Math.floor(statSync(log).size / 2));
}

/**
 * Tries every damage to a project's stored data, and every pair of a damage to the database and one to something else, on a profile on disk.
 * Vibey has to tell the user before it overwrites anything, and the first offered option must lose nothing that either store still has.
 */
export async function damage({ url, times, seed, only, progress }: DamageOptions): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), "vibey-damage-"));
  const broken: string[] = [];
  const sums = { cases: 0, asked: 0, silent: 0, unseen: 0, thrownAway: 0 };
  try {
    const { profiles, texts } = await makeProfiles(url, folder);
    const all = [none, ...ofDatabase].flatMap((one) => [none, ...ofOthers].map((other) => [one, other] as const));
    const pairs = all.filter(([one, other]) => titleOf(one, other).includes(only));
    if (pairs.length === 0) throw new Error(`no case of damage has "${only}" in its title`);
    const random = randomFrom(seed);
    for (let round = 0; round < times; round++)
      for (const [one, other] of random.shuffled(pairs)) {
        const what = titleOf(one, other);
        const profile = join(folder, "case");
        copyProfile(profiles.last, profile);
        try {
          const seen = await oneCase({ url, profile, profiles, texts, one, other });
          sums.cases += 1;
          sums[seen.kind] += 1;
          if (seen.isThrownAway) sums.thrownAway += 1;
          broken.push(...seen.broken.map((why) => `${what}: ${why}`));
          progress(`${sums.cases} of ${pairs.length * times}: ${what}: ${seen.kind}${seen.broken.length > 0 ? " BROKEN" : ""}`);
        } catch (error) {
          broken.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        }
        rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
      }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  if (sums.asked === 0 && only === "") broken.push("no damage was ever told");
  const { cases, asked, silent, unseen, thrownAway } = sums;
  return {
    cases,
    figures: `${cases} damages and pairs of damages: ${asked} told before anything was overwritten, ${silent} that took nothing away, ${unseen} that only Settings could tell or nothing could compare; ${thrownAway} times the browser deleted its database once more, and it was told`,
    broken,
  };
}

async function makeProfiles(url: string, folder: string): Promise<{ profiles: Profiles; texts: Record<string, string> }> {
  const profiles = { earlier: join(folder, "earlier"), last: join(folder, "last"), fork: join(folder, "fork") };
  mkdirSync(profiles.earlier);
  await withVibey(url, profiles.earlier, (page) => page.evaluate(write, { from: 1, to: 15, word: "early" }));
  copyProfile(profiles.earlier, profiles.last);
  copyProfile(profiles.earlier, profiles.fork);
  const texts = await withVibey(url, profiles.last, async (page) => {
    await page.evaluate(write, { from: 16, to: 30, word: "late" });
    return page.evaluate(readAll);
  });
  await withVibey(url, profiles.fork, (page) => page.evaluate(write, { from: 16, to: 20, word: "fork" }));
  return { profiles, texts };
}

async function withVibey<T>(url: string, profile: string, work: (page: Page) => Promise<T>): Promise<T> {
  const browser = await launchKillable(profile);
  try {
    return await work(await openVibey(browser, url));
  } finally {
    await browser.kill();
  }
}

async function openVibey(browser: Killable, url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  await page
    .getByRole("tablist")
    .or(page.getByRole("heading", { level: 1 }))
    .first()
    .waitFor();
  return page;
}

/** A page of the origin in which no part of Vibey runs. */
async function quietPage(browser: Killable, url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(`${url}manifest.webmanifest`);
  return page;
}

interface Case {
  readonly url: string;
  readonly profile: string;
  readonly profiles: Profiles;
  /** Everything that was acknowledged. */
  readonly texts: Readonly<Record<string, string>>;
  readonly one: Damage;
  readonly other: Damage;
}

interface Seen {
  readonly kind: "asked" | "silent" | "unseen";
  readonly broken: readonly string[];
  /** The browser deleted its own database again after the project was restored. */
  readonly isThrownAway?: boolean;
}

async function oneCase({ url, profile, profiles, texts, one, other }: Case): Promise<Seen> {
  for (const each of [one, other]) each.onDisk?.(profile, profiles);
  const broken: string[] = [];
  let browser = await launchKillable(profile);
  try {
    const quiet = await quietPage(browser, url);
    for (const each of [one, other]) await each.inPage?.(quiet);
    const before = await quiet.evaluate(sumsOfCopy);
    await quiet.close();
    const first = await (await openVibey(browser, url)).evaluate(whatIsAsked);
    if (first.asked === null) return await notAsked({ page: await openVibey(browser, url), one, other, texts, lostBytes: first.lostBytes });
    // Until the user decides, neither a crash nor another visit may change anything.
    await browser.kill();
    browser = await launchKillable(profile);
    const page = await openVibey(browser, url);
    const { asked } = await page.evaluate(whatIsAsked);
    if (asked === null) return { kind: "asked", broken: ["after a crash the human is not asked any more"] };
    await page.goto(`${url}manifest.webmanifest`);
    if (JSON.stringify(await page.evaluate(sumsOfCopy)) !== JSON.stringify(before))
      broken.push("the copy was changed before the human decided");
    await page.goto(url);
    // Vibey notices a missing part a moment after the project opens.
    await page.evaluate(whatIsAsked);
    const { opened, copies: found } = asked;
    const generation = found[0]?.generation;
    const wanted = opened ? (generation === undefined ? "keep" : "both") : generation === undefined ? "anew" : "restore";
    const ended = await page.evaluate(choose, { action: wanted, generation });
    if (!ended.includes('"done"')) broken.push(`${wanted} ended with ${ended}`);
    const after = await page.evaluate(readAll);
    // Everything that the backup has in full must be in the project after recovery.
    const isCopyWhole = other === none || other.title === "the note deleted" || other.title === "the settings deleted";
    if (isCopyWhole) broken.push(...missing(texts, after).map((name) => `${name} is lost by "${wanted}"`));
    if (wanted === "anew" && asked.remembered === null && other.title !== "the settings deleted" && one.onDisk === undefined)
      broken.push("nothing says what was here");
    await browser.kill();
    browser = await launchKillable(profile);
    const next = await (await openVibey(browser, url)).evaluate(whatIsAsked);
    // The browser continues writing after the cut end of the log, and at the next start Chromium deletes that database. Then Vibey has to
    // ask the user.
    const isThrownAway = one.onDisk !== undefined && hasThrownAway(profile, startsOf(profile));
    if (next.asked !== null && !isThrownAway) broken.push(`the human is asked again: ${next.asked.why}`);
    if (next.asked === null && isThrownAway) broken.push("the browser deleted its database, and the human is not asked");
    return { kind: "asked", broken, isThrownAway };
  } finally {
    await browser.kill();
  }
}

interface NotAsked {
  readonly page: Page;
  readonly one: Damage;
  readonly other: Damage;
  readonly texts: Readonly<Record<string, string>>;
  readonly lostBytes: readonly string[];
}

/** Not asking is right if nothing is lost, or if nothing is left that could show the loss. */
async function notAsked({ page, one, other, texts, lostBytes }: NotAsked): Promise<Seen> {
  const lost = missing(texts, await page.evaluate(readAll));
  if (lost.length === 0) return { kind: "silent", broken: [] };
  // A damaged backup has nothing to compare the doc with. If the doc has too few bytes, Settings says so.
  const isCopyDamaged = /^the (?:copy|private files)/.test(other.title);
  const isOneFile = lost.length === 1 && lost[0] === "doc-1.md";
  if (one.title === "one piece removed" && isCopyDamaged && lostBytes.length === 1 && isOneFile) return { kind: "unseen", broken: [] };
  if (one.title === "one piece changed" && isCopyDamaged && isOneFile) return { kind: "unseen", broken: [] };
  // The settings are stored with the database, so both are rolled back together, and there is no backup that would show it.
  if (one.onDisk && (other.title === "the copy deleted" || other.title === "the private files rolled back"))
    return { kind: "unseen", broken: [] };
  return {
    kind: "silent",
    broken: [`${lost.length} of ${Object.keys(texts).length} are gone without a word: ${lost.slice(0, 3).join(", ")}`],
  };
}

/** Names of texts that the project no longer has, under their own name or any other. */
function missing(texts: Readonly<Record<string, string>>, found: Readonly<Record<string, string>>): string[] {
  const all = Object.values(found);
  return Object.entries(texts).flatMap(([name, text]) => (all.some((each) => each.startsWith(text)) ? [] : [name]));
}
