import type { Files } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { eventsOf, generationOf } from "../../dialog/events/events-of.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { fileBatches } from "../file-batches.ts";
import type { Progress } from "../progress.ts";
import { readUndamaged } from "../read-each.ts";
import type { Commits } from "./commits.ts";
import { encodeEntry } from "./entry.ts";
import { keyOf, type News } from "./new-events.ts";
import { dialogIn, storedDialog } from "./written-files.ts";

/** Events in one entry. */
const perEntry = 500;

type Found = FoundEvent | FoundCommit;

interface FoundEvent {
  readonly time: string;
  readonly dialogId: string;
  readonly generation: number;
  readonly key: string;
}

interface FoundCommit {
  readonly time: string;
  readonly commit: number;
}

/**
 * The entries of a complete index: all events of the project's dialogs and all commits of its history, ordered by time. Events of one dialog keep the
 * order of its text, commits the order of their numbers. `commits`: null if the history can't be read. `progress` is told the bytes of dialogs.
 */
export async function rebuild(files: Files, commits: Commits | null, progress: Progress): Promise<Uint8Array[]> {
  const found: Found[] = foundCommits((await commits?.times()) ?? []);
  const stats = await files.list("vibey/dialog-");
  const total = stats.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const batch of fileBatches(stats, (stat) => stat)) {
    const contents = await readUndamaged(
      files,
      batch.map(({ path }) => path),
    );
    for (const [at, { path }] of batch.entries()) {
      const dialogId = parseDialogFilename(nameOf(path) ?? "")?.dialogId;
      if (dialogId === undefined) continue;
      const content = contents[at];
      const dialog = content ? dialogIn(content.bytes) : (await storedDialog(files, dialogId))?.dialog;
      if (dialog === undefined) continue;
      const generation = generationOf(dialog);
      let time = "";
      for (const event of eventsOf(dialog, dialogId)) {
        if (event.time > time) ({ time } = event);
        found.push({ time, dialogId, generation, key: keyOf(event) });
      }
    }
    done += batch.reduce((sum, { size }) => sum + size, 0);
    progress(done, total);
  }
  found.sort(inTime);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < found.length; at += perEntry)
    entries.push(encodeEntry({ news: newsIn(found.slice(at, at + perEntry)), rebuilt: true }));
  // An entry without events says that the index is complete.
  return entries.length === 0 ? [encodeEntry({ news: [], rebuilt: true })] : entries;
}

/** A commit with an earlier time than the previous commit still came after it. */
function foundCommits(times: readonly string[]): Found[] {
  let last = "";
  return times.map((time, nth) => {
    if (time > last) last = time;
    return { time: last, commit: nth + 1 };
  });
}

/** At equal times, commits come last: files are committed after the event that changed them. */
function inTime(a: Found, b: Found): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  const [one, other] = [a, b].map((found) => ("commit" in found ? "~" : found.dialogId));
  return one === other || one === undefined || other === undefined ? 0 : one < other ? -1 : 1;
}

/** Groups consecutive events of one dialog, and consecutive commits. */
function newsIn(found: readonly Found[]): News[] {
  const news: ({ dialogId: string; generation: number; keys: string[] } | { commits: number })[] = [];
  for (const one of found) {
    const last = news.at(-1);
    if ("commit" in one) {
      if (last && "commits" in last) last.commits = one.commit;
      else news.push({ commits: one.commit });
      continue;
    }
    const { dialogId, generation, key } = one;
    if (last && "keys" in last && last.dialogId === dialogId) last.keys.push(key);
    else news.push({ dialogId, generation, keys: [key] });
  }
  return news;
}
