import * as v from "valibot";
import { findCopies, type Found, type FoundCopy, type OpenCopy, openCopy, openUnchanged } from "../../../fs/copy/found.ts";
import type { BackupLocation } from "../../../fs/copy/backup-location.ts";
import { deleteProject, restoreCopy } from "../../../fs/copy/restore.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { IdbFiles } from "../../../fs/idb.ts";
import type { CopyNote } from "../../../fs/copy/note.ts";
import type { Revision } from "../../../fs/revision.ts";
import type { OpenedFound, RecoveryAnswer, RecoveryFrame } from "../../../protocol/index.ts";
import type { Handler } from "../../../protocol/port/answer-calls.ts";
import { failure, json } from "../../routes/answers.ts";
import { readBody } from "../../routes/body.ts";
import { createRoutes, route } from "../../routes/route.ts";
import { frameStream } from "../../routes/sse.ts";
import { describeCopy } from "./copied.ts";
import { copyZip } from "./copy-zip.ts";
import { lost, type Loss, opens } from "./loss.ts";
import { mergeCopy } from "./merge-copy.ts";
import { describeOpened } from "./opened.ts";

export interface RecoveryParts {
  /** The name of the database. */
  readonly name: string;
  readonly loss: Loss;
  readonly place: () => Promise<BackupLocation>;
  /** Opens the database. */
  readonly open: () => Promise<IdbFiles>;
  /** Whether anything was ever stored in it. */
  readonly written: () => Promise<boolean>;
  /** The notes about the backup, next to it and in the settings. */
  readonly notes: () => Promise<readonly CopyNote[]>;
  /** Opens the current project, whatever is in it. Rejects if that fails, too. */
  readonly proceed: () => Promise<void>;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

const body = v.variant("action", [
  v.object({ action: v.literal("restore"), generation: v.number("expected a number") }),
  v.object({ action: v.literal("both"), generation: v.number("expected a number") }),
  v.object({ action: v.literal("keep") }),
  v.object({ action: v.literal("anew") }),
]);

const blocked = "Another Vibey tab is still using the old storage. Close your other Vibey tabs to continue.";
const copyHeld = "Another Vibey tab has the backup open. Close your other Vibey tabs to continue.";

/** Milliseconds between two attempts to open a copy that another tab has open. */
const againMs = 1_000;

/** Replaces the engine of a project whose storage is lost: reports what was found, and does what the user chooses. Nothing is written before that. */
export function recovery({ name, loss, place, open: openFiles, written, notes, proceed, later, report }: RecoveryParts): Handler {
  /** A choice is being carried out, or was: then the project is open, and its engine answers. */
  let busy = false;
  let looking: Promise<Found> | null = null;

  /** The copies are read once, because no one writes them now, and an open log can't be opened again by a concurrent request. */
  function look(): Promise<Found> {
    looking ??= readCopies().catch((error: unknown) => {
      looking = null;
      throw error;
    });
    return looking;
  }

  async function readCopies(): Promise<Found> {
    const found = await findCopies(await place(), true);
    // Another tab may still release the copies that it has open.
    if (found.copies.length === 0 || found.held > 0) looking = null;
    return found;
  }

  async function copies(): Promise<Pick<RecoveryAnswer, "copies" | "held" | "trouble" | "written">> {
    try {
      const found = await look();
      return { copies: found.copies.map(describeCopy), held: found.held > 0, trouble: null, written: await written() };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return { copies: [], held: false, trouble: error.message, written: true };
    }
  }

  const find = async (generation: number): Promise<FoundCopy | undefined> =>
    (await look()).copies.find((copy) => copy.generation === generation);

  /** Waits until no one else has the copy open. Its current content is used, not the content when it was found, because it replaces the database. */
  async function openFound(copy: FoundCopy, signal: AbortSignal, send: (frame: RecoveryFrame) => void): Promise<OpenCopy> {
    const from = await place();
    for (let told = false; ; told = true) {
      const open = await openUnchanged(from, copy);
      if (open) return open;
      if (!told) send({ type: "waiting", message: copyHeld });
      await new Promise<void>((resolve) => later(resolve, againMs));
      signal.throwIfAborted();
    }
  }

  /** Compared once, because nothing changes before the user has chosen. */
  let describing: Promise<OpenedFound | null> | null = null;

  function opened(): Promise<OpenedFound | null> {
    describing ??= describe().catch((error: unknown) => {
      describing = null;
      throw error;
    });
    return describing;
  }

  async function describe(): Promise<OpenedFound | null> {
    if (!opens(loss)) return null;
    const found = await newestFound();
    const copy = found && (await openCopy(await place(), found));
    // Another tab has the copy open. It is compared when that tab has released it.
    if (found && !copy) describing = null;
    try {
      return await describeOpened(openFiles, found && copy && { files: found.files, content: copy.content });
    } finally {
      copy?.close();
    }
  }

  async function newestFound(): Promise<FoundCopy | null> {
    try {
      return (await look()).copies[0] ?? null;
    } catch (error) {
      if (error instanceof StorageError) return null;
      throw error;
    }
  }

  async function remembered(): Promise<RecoveryAnswer["remembered"]> {
    const [newest] = (await notes()).filter(({ revision }) => revision !== null).toSorted((a, b) => b.at - a.at);
    if (!newest) return null;
    const { at, docs, dialogs, files, bytes } = newest;
    return { at, docs, dialogs, files, bytes };
  }

  /** Everything outside the database that says which state the project should have. The user's choice overrides all of it. */
  async function revisions(): Promise<Revision[]> {
    const found = (await notes()).flatMap(({ revision }) => (revision === null ? [] : [revision]));
    try {
      // A damaged log can appear longer when not every byte is checked.
      const quick = await findCopies(await place(), false);
      for (const copy of [...quick.copies, ...(await look()).copies]) found.push(copy.revision);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
    return found;
  }

  async function settle(work: (files: IdbFiles) => Promise<void> = async () => undefined): Promise<void> {
    const settled = await revisions();
    const files = await openFiles();
    try {
      await work(files);
      await forgetOrder(files);
      await (await files.source()).settle(settled);
    } finally {
      files.close();
    }
    await proceed();
  }

  /**
   * The order of events belongs to the earlier state of the project, and clients may know more of it. So it is rebuilt from the texts, with a new
   * id.
   */
  async function forgetOrder(files: IdbFiles): Promise<void> {
    if ((await files.list()).length === 0) return;
    const restarted = await files.restartIndex([]);
    if (!restarted.ok) report(new Error(`the order of events could not be forgotten: ${restarted.failure.kind}`));
  }

  async function both(copy: FoundCopy, signal: AbortSignal, send: (frame: RecoveryFrame) => void): Promise<void> {
    const settled = await revisions();
    const { content, close } = await openFound(copy, signal, send);
    const files = await openFiles().catch((error: unknown) => {
      close();
      throw error;
    });
    try {
      const source = await files.source();
      // With damaged counters, file versions would be assigned twice.
      await source.settle([], { pending: true });
      await mergeCopy(files, copy.files, content);
      await forgetOrder(files);
      await source.settle(settled);
    } finally {
      close();
      files.close();
    }
    await proceed();
  }

  async function restore(copy: FoundCopy, signal: AbortSignal, send: (frame: RecoveryFrame) => void): Promise<void> {
    const settled = await revisions();
    const { pieces, close } = await openFound(copy, signal, send);
    try {
      await restoreCopy({
        name,
        copy,
        settled,
        pieces,
        signal,
        onProgress: (part) => send({ type: "progress", part }),
        onBlocked: () => send({ type: "waiting", message: blocked }),
      });
    } finally {
      close();
    }
    await proceed();
  }

  async function anew(send: (frame: RecoveryFrame) => void): Promise<void> {
    await deleteProject(name, () => send({ type: "waiting", message: blocked }));
    await settle();
  }

  /** Carries out the user's choice, and reports the progress until it is done. */
  function carryOut(request: Request, work: (send: (frame: RecoveryFrame) => void) => Promise<void>): Response {
    const { sink, response } = frameStream<RecoveryFrame>();
    work((frame) => sink.send(frame))
      .then(
        () => sink.send({ type: "done" }),
        (error: unknown) => {
          if (!request.signal.aborted && !(error instanceof StorageError)) report(error);
          // It may have failed because something has changed since it was found.
          looking = null;
          describing = null;
          busy = false;
          sink.send({ type: "error", error: error instanceof Error ? error.message : String(error) });
        },
      )
      .finally(() => sink.end());
    return response();
  }

  const app = createRoutes(report);
  route(app, "/recovery", {
    async GET() {
      const found = await copies();
      return json({ ...loss, ...found, opened: await opened(), remembered: await remembered() } satisfies RecoveryAnswer);
    },
    async POST({ request }) {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      if (busy) return failure(409, "Already in progress");
      busy = true;
      const { value } = parsed;
      if (value.action === "anew") return carryOut(request, anew);
      if (value.action === "keep") return carryOut(request, () => settle());
      const copy = await find(value.generation).catch((error: unknown) => {
        busy = false;
        throw error;
      });
      if (!copy) {
        busy = false;
        return failure(404, "Backup not found");
      }
      const work = value.action === "both" ? both : restore;
      return carryOut(request, (send) => work(copy, request.signal, send));
    },
  });
  route(app, "/copy.zip", {
    async GET({ url }) {
      const found = await find(Number(url.searchParams.get("generation") ?? Number.NaN));
      if (!found) return failure(404, "Backup not found");
      const open = await openCopy(await place(), found);
      return open ? copyZip(found.files, open.content, open.close) : failure(503, copyHeld);
    },
  });
  app.missing = () => lost(loss);
  return app.fetch;
}
