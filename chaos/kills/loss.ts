import type { Page } from "playwright";
import type { RecoveryAnswer } from "../../src/protocol/index.ts";
import { parseDialog } from "../../src/dialog/parse.ts";
import { hasThrownAway } from "../torn.ts";
import type { Ledger } from "./ledger.ts";
import { type Found, look } from "./look.ts";
import { isRemoval, versionOf } from "./versions.ts";

export interface Loss {
  readonly broken: readonly string[];
  /** Whether there was a backup and the project was restored from it. */
  readonly restored: boolean;
}

/** The recovery's answer if the project is lost, else null. */
export async function lostIn(page: Page): Promise<RecoveryAnswer | null> {
  return await page.evaluate(async () => {
    const response = await fetch("recovery");
    return response.ok ? ((await response.json()) as RecoveryAnswer) : null;
  });
}

/**
 * Checks a project whose database the browser deleted. Vibey must not treat it as a new project, and the project restored from the backup has to be
 * whole and contain everything acknowledged before the backup's time.
 */
export async function checkLoss(
  page: Page,
  profile: string,
  ledger: Ledger,
  names: readonly string[],
  answer: RecoveryAnswer,
): Promise<Loss> {
  const broken: string[] = [];
  if (!hasThrownAway(profile)) broken.push("the project is lost, and the browser has not said that it threw it away");
  const [copy] = answer.copies;
  if (!copy) {
    if (ledger.writes > 0 && !answer.written) broken.push("the project is lost, and nothing is known of what was stored in it");
    return { broken, restored: false };
  }
  const ended = await page.evaluate(async (generation) => {
    const response = await fetch("recovery", { method: "POST", body: JSON.stringify({ action: "restore", generation }) });
    return await response.text();
  }, copy.generation);
  if (!ended.includes('"done"')) return { broken: [...broken, `the copy can't be restored: ${ended}`], restored: false };
  await page.reload();
  await page.getByRole("tablist").first().waitFor();
  const found = await page.evaluate(look, [names, null] as const);
  return { broken: [...broken, ...checkRestored(ledger, found, copy.at)], restored: true };
}

/** `at`: milliseconds since 1970 up to which the backup has everything. */
export function checkRestored(ledger: Ledger, found: Pick<Found, "versions" | "listing" | "dialogs">, at: number): string[] {
  const broken: string[] = [];
  for (const [name, text] of Object.entries(found.versions)) {
    const acks = ledger.fileAcks.get(name) ?? [];
    const promised = acks.findLast((ack) => ack.time <= at)?.version ?? 0;
    const last = (acks.at(-1)?.version ?? 0) + 1;
    if (text === null) {
      const mayBeGone = Array.from({ length: last - promised + 1 }, (_, n) => promised + n).some(
        (version) => version === 0 || isRemoval(name, version),
      );
      if (!mayBeGone) broken.push(`${name} is not in the copy; version ${promised} was acknowledged before it`);
      continue;
    }
    const version = versionOf(name, text);
    if (typeof version === "string") broken.push(version);
    else if (version < promised) broken.push(`the copy has version ${version} of ${name}; version ${promised} was acknowledged before it`);
  }
  const there = new Set(found.listing.map(({ dialogId }) => dialogId));
  for (const [id, { made, removed, tag }] of ledger.dialogs)
    if (made <= at && !removed && !ledger.leaving.has(id) && !there.has(id)) broken.push(`${id} (${tag}) is not in the copy`);
  for (const [id, { markdown }] of Object.entries(found.dialogs))
    if (parseDialog(markdown).format !== 1) broken.push(`in the copy ${id} is torn`);
  return broken;
}
