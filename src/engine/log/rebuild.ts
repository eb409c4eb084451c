import type { FileContent, Files, FileStat } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { eventsOf, generationOf } from "../../dialog/events/events-of.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { fileBatches } from "../file-batches.ts";
import { encodeEntry } from "./entry.ts";
import { keyOf, type News } from "./news.ts";
import { dialogIn } from "./written-files.ts";

/** Events that one entry holds. */
const perEntry = 500;

interface Found {
  readonly time: string;
  readonly dialogId: string;
  readonly generation: number;
  readonly key: string;
}

/**
 * The entries of an index that has all that the dialogs of the project say, ordered by the times in their texts. Events of one dialog keep
 * the order of its text.
 */
export async function rebuild(files: Files): Promise<Uint8Array[]> {
  const found: Found[] = [];
  const stats = await files.list("vibey/dialog-");
  for (const batch of fileBatches(stats, (stat) => stat)) {
    for (const content of await readThem(files, batch)) {
      const dialogId = parseDialogFilename(nameOf(content.path) ?? "")?.dialogId;
      if (dialogId === undefined) continue;
      const dialog = dialogIn(content.bytes);
      const generation = generationOf(dialog);
      let time = "";
      for (const event of eventsOf(dialog, dialogId)) {
        if (event.time > time) ({ time } = event);
        found.push({ time, dialogId, generation, key: keyOf(event) });
      }
    }
  }
  found.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.dialogId < b.dialogId ? -1 : a.dialogId > b.dialogId ? 1 : 0));
  const entries: Uint8Array[] = [];
  for (let at = 0; at < found.length; at += perEntry)
    entries.push(encodeEntry({ news: newsIn(found.slice(at, at + perEntry)), rebuilt: true }));
  // An entry without events says that there are none to be built.
  return entries.length === 0 ? [encodeEntry({ news: [], rebuilt: true })] : entries;
}

/** One file that is damaged says nothing; the others still do. */
async function readThem(files: Files, batch: readonly FileStat[]): Promise<FileContent[]> {
  try {
    return (await files.readMany(batch.map(({ path }) => path))).filter((content) => content !== null);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (batch.length === 1) return [];
    const found: FileContent[] = [];
    for (const stat of batch) found.push(...(await readThem(files, [stat])));
    return found;
  }
}

/** Neighbours of one dialog together. */
function newsIn(found: readonly Found[]): News[] {
  const news: { dialogId: string; generation: number; keys: string[] }[] = [];
  for (const { dialogId, generation, key } of found) {
    const last = news.at(-1);
    if (last?.dialogId === dialogId) last.keys.push(key);
    else news.push({ dialogId, generation, keys: [key] });
  }
  return news;
}
