import type { Files } from "../../../fs/files.ts";
import type { IdbFiles } from "../../../fs/idb.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { Handler } from "../../../protocol/port/answer-calls.ts";
import { failure } from "../../routes/answers.ts";
import { lost, type Loss } from "./loss.ts";
import type { CopyKeeper } from "./second-copy.ts";

export interface RecoveryGateParts {
  /** Opens or creates the database. Rejects with a `StorageError`. */
  readonly open: () => Promise<IdbFiles>;
  /** Why the opened database may not be the project's last state. Null if nothing outside the database suggests that. Changes nothing. */
  readonly doubt: (files: IdbFiles) => Promise<Loss | null>;
  /** Notes outside the database that something is stored in it. */
  readonly noteWritten: () => Promise<void>;
  readonly startEngine: (files: Files) => Promise<Handler>;
  /** Called when the engine is idle. */
  readonly startCopy: (files: IdbFiles, differs: (loss: Loss) => void) => Promise<CopyKeeper>;
  /** Removes what the backup can spare, and frees the reserved space. Returns whether there was anything to free. */
  readonly makeRoom: () => Promise<boolean>;
  readonly recovery: (loss: Loss, proceed: () => Promise<void>) => Promise<Handler>;
  /** Called if an open project can't be reopened for a reason that isn't a loss: a newer Vibey has it. */
  readonly failed: (error: unknown) => void;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

/** The backup is opened this many milliseconds after the engine starts, or this many after the first write, whichever comes first. */
const copyStartMs = 3_000;
const copySoonMs = 1_000;

/**
 * Protects the project before the engine starts: if the project is empty or unreadable although a backup of it exists, the engine doesn't simply
 * start with an empty project. In that case, and if the storage disappears while the engine runs, the recovery answers every request until the
 * user has chosen. Rejects with a `StorageError` if the storage doesn't open for a reason that isn't a loss: it is full, or belongs to a newer
 * Vibey.
 */
export async function openRecoveryGate(parts: RecoveryGateParts): Promise<Handler> {
  const { report } = parts;
  let answer: Handler = () => lost({ why: "gone", message: "" });

  async function recover(loss: Loss): Promise<void> {
    answer = () => lost(loss);
    answer = await parts.recovery(loss, () => begin({ chosen: true }));
  }

  /** A full disk must not lock the user out of the project: the backup gives up space here, too. */
  async function startEngine(files: Files): Promise<Handler> {
    try {
      return await parts.startEngine(files);
    } catch (error) {
      if (isFull(error) && (await madeRoom())) return parts.startEngine(files);
      throw error;
    }
  }

  /** An error in the backup says nothing about the project, so it doesn't count as a loss of the project. */
  async function madeRoom(): Promise<boolean> {
    try {
      return await parts.makeRoom();
    } catch (error) {
      report(error);
      return false;
    }
  }

  async function doubtOf(files: IdbFiles): Promise<Loss | null> {
    try {
      return await parts.doubt(files);
    } catch (error) {
      files.close();
      throw error;
    }
  }

  /** `chosen`: the user has decided what the project should be. `gone`: why it was closed while the previous engine ran. */
  async function begin({ chosen = false, gone }: { readonly chosen?: boolean; readonly gone?: string }): Promise<void> {
    let files: IdbFiles;
    try {
      files = await parts.open();
    } catch (error) {
      if (chosen || !isLoss(error)) throw error;
      return recover({ why: "unreadable", message: error.message });
    }
    if (!chosen) {
      const loss = gone !== undefined && files.empty && !files.emptied ? ({ why: "gone", message: gone } as const) : await doubtOf(files);
      if (loss !== null) {
        files.close();
        return recover(loss);
      }
    }
    const closed = new AbortController();
    let copy: CopyKeeper | null = null;
    let engine: Handler;
    const copyIn = (ms: number) =>
      parts.later(() => {
        if (!closed.signal.aborted) startCopy().catch(report);
      }, ms);
    // What an engine itself stores in a new project is no loss if it disappears.
    let noted = true;
    const stored = () => {
      if (noted) return;
      noted = true;
      parts.noteWritten().catch(report);
      copyIn(copySoonMs);
    };
    try {
      engine = await startEngine(withRoom(files, () => copy, stored));
      noted = false;
    } catch (error) {
      files.close();
      if (chosen || !isLoss(error)) throw error;
      return recover({ why: "unreadable", message: error.message });
    }
    answer = async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/copy" || pathname === "/copy.zip") return (await startCopy()).fetch(request);
      const response = await engine(request);
      return pathname === "/events" ? until(closed.signal, response) : response;
    };
    let starting: Promise<CopyKeeper> | undefined;
    const startCopy = () => {
      starting ??= parts
        .startCopy(files, (loss) => void differs(loss).catch(report))
        .then(
          (started) => (copy = started),
          (error: unknown) => {
            starting = undefined;
            throw error;
          },
        );
      return starting;
    };
    copyIn(copyStartMs);
    /** Ends this engine: from here on, it answers nothing. */
    const end = async (loss: Loss) => {
      answer = () => lost(loss);
      closed.abort(new Error(loss.message));
      // The recovery reads the backup's log, so close it first.
      await copy?.close();
      // Running work can no longer be stored, so stop as much of it as possible.
      try {
        await engine(new Request("http://engine/dialogs", { method: "PUT", body: JSON.stringify({ status: "waiting" }) }));
      } catch (error) {
        report(error);
      }
    };
    /** The backup has found that the database is not the one that it backs up. */
    const differs = async (loss: Loss) => {
      files.close();
      await end(loss);
      await recover(loss);
    };
    const taken = async () => {
      const message = await files.gone;
      await end({ why: "gone", message });
      // Browsers also close intact databases, and then there is nothing to recover.
      await begin({ gone: message });
    };
    taken().catch((error: unknown) => {
      const why = inWords(error);
      if (!isNewer(error)) {
        answer = () => lost({ why: "gone", message: messageOf(why) });
        return report(why);
      }
      answer = () => failure(503, messageOf(why));
      parts.failed(why);
    });
  }

  await begin({}).catch((error: unknown) => {
    throw inWords(error);
  });
  return (request) => answer(request);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The same error, with advice for the user if there is any. */
function inWords(error: unknown): unknown {
  if (isFull(error)) {
    const message = `The browser's storage for this site is full. Free up space on this device, then try again. (${error.message})`;
    return new StorageError("full", message, { cause: error });
  }
  if (!isNewer(error)) return error;
  return new StorageError("newer", `This project was opened in a newer version of Vibey. Reload the page to update. (${error.message})`, {
    cause: error,
  });
}

function isNewer(error: unknown): error is StorageError {
  return error instanceof StorageError && error.kind === "newer";
}

function isFull(error: unknown): error is StorageError {
  return error instanceof StorageError && error.kind === "full";
}

function isLoss(error: unknown): error is StorageError {
  return error instanceof StorageError && (error.kind === "damaged" || error.kind === "foreign" || error.kind === "broken");
}

/**
 * Files for which the backup gives up space: a commit that finds no space is tried once more after the backup has freed some. A commit that only
 * removes files also gets the reserved space. `stored` is called after each successful commit.
 */
function withRoom(files: IdbFiles, copy: () => Pick<CopyKeeper, "giveWay" | "spendReserve"> | null, stored: () => void): Files {
  const commit: Files["commit"] = async (changes, options) => {
    const result = await files.commit(changes, options);
    if (result.ok || result.failure.kind !== "full") return result;
    const room = [await copy()?.giveWay(), changes.every(({ op }) => op === "remove") && (await copy()?.spendReserve())];
    return room.includes(true) ? files.commit(changes, options) : result;
  };
  return {
    ...files,
    async commit(changes, options) {
      const result = await commit(changes, options);
      if (result.ok) stored();
      return result;
    },
  };
}

/** The same answer, but its body ends with an error when the signal aborts. A screen that follows it then asks again and learns the new state. */
function until(signal: AbortSignal, { body, status, headers }: Response): Response {
  return new Response(body?.pipeThrough(new TransformStream(), { signal }) ?? null, { status, headers });
}
