import type { Files } from "../../../fs/files.ts";
import type { IdbFiles } from "../../../fs/idb.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { Handler } from "../../../protocol/port/answer-calls.ts";
import { failure } from "../../routes/answers.ts";
import { lost, type Loss } from "./loss.ts";
import type { CopyKeeper } from "./second-copy.ts";

export interface RecoveryGateParts {
  /** Opens the database, or makes it; rejects with a `StorageError`. */
  readonly open: () => Promise<IdbFiles>;
  /** Why what was opened may not be the project as it was last stored; null: nothing outside of it says so. Changes nothing. */
  readonly doubt: (files: IdbFiles) => Promise<Loss | null>;
  /** Notes, outside of the database, that something is stored in it. */
  readonly noteWritten: () => Promise<void>;
  readonly startEngine: (files: Files) => Promise<Handler>;
  /** Asked for when the engine has nothing else to do. */
  readonly startCopy: (files: IdbFiles, differs: (loss: Loss) => void) => Promise<CopyKeeper>;
  /** Removes what can be spared of the backup, and gives up the room that was set aside; answers whether there was anything. */
  readonly makeRoom: () => Promise<boolean>;
  readonly recovery: (loss: Loss, proceed: () => Promise<void>) => Promise<Handler>;
  /** Called when a project that was open can't be opened again for a reason that is no loss: a newer program has it. */
  readonly failed: (error: unknown) => void;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

/** Milliseconds after the start of the engine at which the backup is opened, and after the first thing that is stored, if that comes before. */
const copyStartMs = 3_000;
const copySoonMs = 1_000;

/**
 * What stands before the engine: a project that is empty, or can't be read, while a backup of it is there is not started over without a
 * word. Then, and when the storage goes away under the engine, every call is answered by the recovery until the user has chosen.
 * Rejects with a `StorageError` when the storage does not open for a reason that is no loss: it is full, or a newer program's.
 */
export async function openRecoveryGate(parts: RecoveryGateParts): Promise<Handler> {
  const { report } = parts;
  let answer: Handler = () => lost({ why: "gone", message: "" });

  async function recover(loss: Loss): Promise<void> {
    answer = () => lost(loss);
    answer = await parts.recovery(loss, () => begin({ chosen: true }));
  }

  /** A full disk must not keep the user from what is on it: the backup gives way here, too. */
  async function startEngine(files: Files): Promise<Handler> {
    try {
      return await parts.startEngine(files);
    } catch (error) {
      if (isFull(error) && (await madeRoom())) return parts.startEngine(files);
      throw error;
    }
  }

  /** What goes wrong with the copy says nothing of the project: it is not to be taken for its loss. */
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

  /** `chosen`: the user has said what the project is to be. `gone`: why it was closed under the engine before this one. */
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
    // What an engine stores by itself, into a project that is new, is no loss when it is gone.
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
    /** Nothing is answered by this engine from here on. */
    const end = async (loss: Loss) => {
      answer = () => lost(loss);
      closed.abort(new Error(loss.message));
      // Its log is what the recovery reads.
      await copy?.close();
      // What still runs can store nothing: it is stopped as far as it can be.
      try {
        await engine(new Request("http://engine/dialogs", { method: "PUT", body: JSON.stringify({ status: "waiting" }) }));
      } catch (error) {
        report(error);
      }
    };
    /** The copy has found that the database is not what it is a copy of. */
    const differs = async (loss: Loss) => {
      files.close();
      await end(loss);
      await recover(loss);
    };
    const taken = async () => {
      const message = await files.gone;
      await end({ why: "gone", message });
      // A browser closes a database that is whole, too, and then there is nothing to recover.
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

/** The same with what the user can do about it, where there is something. */
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
 * Files for which the backup gives way: a commit that finds no room is tried once more when the copy has made some. One that only
 * removes, and so makes room, gets what was set aside, too. `stored` is called with each that came to be.
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

/** The same answer, whose body ends with an error when the signal aborts: a screen that follows it asks again, and hears what is. */
function until(signal: AbortSignal, { body, status, headers }: Response): Response {
  return new Response(body?.pipeThrough(new TransformStream(), { signal }) ?? null, { status, headers });
}
