import type { Files, FileStat } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { fileBatches } from "../file-batches.ts";
import { readEach } from "../read-each.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { type Paid, paidResponses } from "./scan.ts";

export interface DialogPaid {
  readonly dialogId: string;
  /** The responses. If the file is damaged, those from when it could last be read. */
  readonly responses: readonly Paid[];
  /** The file can't be read now, so its recent cost is unknown. */
  readonly damaged?: true;
}

/**
 * The cost of the project's dialogs, according to their files. Each version of a file is read only once, so asking again costs only what has
 * changed.
 */
export interface Ledger {
  /**
   * Every dialog with its responses. `since` is in milliseconds since 1970: files that were last changed before it are left out. `progress` gets
   * the number of files read and the total. An aborted `signal` stops reading at the next batch, with the signal's reason as the error.
   */
  read(options?: ReadOptions): Promise<readonly DialogPaid[]>;
}

export interface ReadOptions {
  readonly since?: number | null;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

export function createLedger(files: Pick<Files, "list" | "readMany">, flush: () => Promise<void>): Ledger {
  let known = new Map<string, { readonly version: number; readonly responses: readonly Paid[] }>();

  let last: Promise<unknown> = Promise.resolve();

  return {
    // One after another, so that concurrent callers read each file only once.
    read(options = {}) {
      const result = last.then(() => read(options));
      last = result.catch(() => undefined);
      return result;
    },
  };

  async function read({ since = null, ...how }: ReadOptions): Promise<readonly DialogPaid[]> {
    await flush();
    let wanted: readonly DialogFile[] = [];
    const damaged = new Set<string>();
    // If a dialog's file is renamed while it is being read, it is looked up again.
    for (let missed = true, passes = 0; missed && passes < maxPasses; passes++) {
      const there = dialogFiles(await files.list("vibey/dialog-"));
      if (known.size > there.size) known = new Map([...known].filter(([dialogId]) => there.has(dialogId)));
      // A time before the dialog began comes from a zip and means nothing.
      wanted = [...there.values()].filter(({ stat, begun }) => since === null || stat.mtime >= since || stat.mtime < begun);
      const fresh = wanted.filter(({ dialogId, stat }) => known.get(dialogId)?.version !== stat.version);
      damaged.clear();
      missed = await look(fresh, wanted.length, damaged, how);
    }
    return wanted.map(({ dialogId }) => ({
      dialogId,
      responses: known.get(dialogId)?.responses ?? [],
      ...(damaged.has(dialogId) ? { damaged: true } : {}),
    }));
  }

  /** Reads new file versions. Returns whether a file was missing, and adds unreadable ones to `damaged`. */
  async function look(
    fresh: readonly DialogFile[],
    total: number,
    damaged: Set<string>,
    { signal, progress }: Omit<ReadOptions, "since">,
  ): Promise<boolean> {
    let missed = false;
    let done = total - fresh.length;
    progress?.(done, total);
    for (const batch of fileBatches(fresh, ({ stat }) => stat)) {
      signal?.throwIfAborted();
      const contents = await readEach(
        files,
        batch.map(({ stat }) => stat.path),
      );
      for (const [index, { dialogId }] of batch.entries()) {
        const content = contents[index];
        if (content instanceof StorageError) damaged.add(dialogId);
        else if (content)
          known.set(dialogId, { version: content.version, responses: paidResponses(new TextDecoder().decode(content.bytes)) });
        else missed = true;
      }
      done += batch.length;
      progress?.(done, total);
    }
    return missed;
  }
}

interface DialogFile {
  readonly dialogId: string;
  readonly stat: FileStat;
  /** In milliseconds since 1970. */
  readonly begun: number;
}

/** Files are renamed at the end of turns, which is less often than files are read. */
const maxPasses = 3;

function dialogFiles(stats: readonly FileStat[]): Map<string, DialogFile> {
  return new Map(
    stats.flatMap((stat) => {
      const name = parseDialogFilename(nameOf(stat.path) ?? "");
      return name === null ? [] : [[name.dialogId, { dialogId: name.dialogId, stat, begun: name.time.getTime() }] as const];
    }),
  );
}
