import { areEqual } from "../../../fs/copy/compare.ts";
import { findCopies, type FoundCopy, openCopy } from "../../../fs/copy/found.ts";
import { keepCopy, type CurrentCopy, type SecondCopy } from "../../../fs/copy/keep.ts";
import type { CopyNote } from "../../../fs/copy/note.ts";
import type { BackupLocation } from "../../../fs/copy/backup-location.ts";
import type { Reserve } from "../../../fs/copy/reserve.ts";
import type { CopySource } from "../../../fs/copy/source.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { CopyAnswer } from "../../../protocol/index.ts";
import { failure, json } from "../../routes/answers.ts";
import { createRoutes, route } from "../../routes/route.ts";
import { canWait, describeCopy, isCopied, noteOf } from "./copied.ts";
import { copyZip } from "./copy-zip.ts";
import type { Loss } from "./loss.ts";

export interface SecondCopyParts {
  readonly source: CopySource;
  readonly place: () => Promise<BackupLocation>;
  readonly reserve: Reserve;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly later: (then: () => void, ms: number) => void;
  readonly newId: () => string;
  /** Notes elsewhere what the copy is about to hold. */
  readonly note: (note: CopyNote) => Promise<void>;
  /** The note next to the copy. Null if it can't be read. */
  readonly noted: () => Promise<CopyNote | null>;
  /** Called if the database is no longer the one that the copy belongs to, so the user has to decide. */
  readonly differs: (loss: Loss) => void;
  readonly report: (error: unknown) => void;
}

export interface CopyKeeper extends Pick<SecondCopy, "giveWay" | "settle" | "close"> {
  /** Frees the reserved space, so that files can be removed. Returns whether there was any. */
  spendReserve(): Promise<boolean>;
  /** Answers `/copy` and `/copy.zip`. */
  fetch(request: Request): Promise<Response>;
}

/** Milliseconds that an answer waits for the first copy after the page was opened. */
const firstMs = 5_000;
/** Milliseconds after which freed space is reserved again. */
const reserveMs = 60_000;

/** Keeps the backup of an open project, and reports its state. */
export function startCopy({ source, place, reserve, now, later, newId, note, noted, differs, report }: SecondCopyParts): CopyKeeper {
  const copy = keepCopy({
    source,
    place,
    now,
    later,
    newId,
    isCopied,
    canWait,
    note: (revision, files, at) => note(noteOf(revision, files, at)),
    noted: async () => (await noted())?.revision ?? null,
    frozen: differs,
    report,
  });
  const first = copy.settle().catch(report);
  let closed = false;
  const keepReserve = async () => {
    try {
      if (!closed) await reserve.keep();
    } catch (error) {
      // Without a private file system, or while another worker uses it, there is no reserve.
      if (!(error instanceof StorageError)) report(error);
    }
  };
  // The copy comes first.
  void first.then(keepReserve);

  async function earlier(): Promise<CopyAnswer["earlier"]> {
    const own = (await source.sentinel())?.project;
    const { copies } = await findCopies(await place(), false);
    const told: CopyAnswer["earlier"][number][] = [];
    for (const found of copies) {
      const isOwn = found.project === own;
      if (!isOwn || !(await isThere(found))) told.push({ ...describeCopy(found), own: isOwn });
    }
    return told;
  }

  /** Whether the project has everything in an earlier copy, or newer versions of it. */
  async function isThere(found: FoundCopy): Promise<boolean> {
    const current = copy.current();
    try {
      return await isIn(current, found);
    } finally {
      current?.close();
    }
  }

  async function isIn(current: CurrentCopy | null, found: FoundCopy): Promise<boolean> {
    const there = new Map(current?.files.map((file) => [file.path, file]));
    if ((await source.revisionStatus(found.revision)) === "held")
      return found.files.every(({ path, version }) => version <= (there.get(path)?.version ?? -1));
    // The user has kept one of two states, whose version numbers can't be compared.
    const open = await openCopy(await place(), found);
    if (!open || !current) return false;
    try {
      return found.files.every((file) => {
        const same = there.get(file.path);
        return same?.size === file.size && areEqual([current.content(same)], [open.content(file)]);
      });
    } finally {
      open.close();
    }
  }

  async function state(): Promise<CopyAnswer> {
    // Earlier copies can be read once the log is open. Don't wait for a large project.
    await Promise.race([first, new Promise<void>((resolve) => later(resolve, firstMs))]);
    const { kept, trouble, damaged } = copy.state();
    const told = { kept: kept && { at: kept.at, bytes: kept.bytes }, damaged };
    try {
      // Not while the log is being opened, because reading it would lock it.
      return { ...told, trouble, earlier: trouble === null && kept ? await earlier() : [] };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return { ...told, trouble: error.message, earlier: [] };
    }
  }

  const app = createRoutes(report);
  route(app, "/copy", { GET: async () => json(await state()) });
  route(app, "/copy.zip", {
    async GET({ url }) {
      const wanted = url.searchParams.get("generation");
      const own = wanted === null ? copy.current() : null;
      if (own) return copyZip(own.files, own.content, own.close);
      const found = (await findCopies(await place(), true)).copies.find(({ generation }) => String(generation) === wanted);
      if (!found) return failure(404, "There is no such copy");
      const open = await openCopy(await place(), found);
      return open ? copyZip(found.files, open.content, open.close) : failure(503, "Another Vibey tab has this backup open.");
    },
  });
  return {
    giveWay: () => copy.giveWay(),
    settle: () => copy.settle(),
    async spendReserve() {
      later(() => void keepReserve(), reserveMs);
      try {
        return await reserve.spend();
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        return false;
      }
    },
    async close() {
      closed = true;
      await copy.close();
    },
    fetch: app.fetch,
  };
}
