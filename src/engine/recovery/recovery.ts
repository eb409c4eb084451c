import { Hono } from "hono/tiny";
import * as v from "valibot";
import { findCopies, type FoundCopy, openCopy } from "../../fs/copy/found.ts";
import type { CopyPlace } from "../../fs/copy/place.ts";
import { deleteProject, restoreCopy } from "../../fs/copy/restore.ts";
import { StorageError } from "../../fs/storage-error.ts";
import type { RecoveryAnswer, RecoveryFrame } from "../api.ts";
import type { Handler } from "../port/answer-calls.ts";
import { failure, json } from "../routes/answers.ts";
import { readBody } from "../routes/body.ts";
import { answerErrors } from "../routes/errors.ts";
import { route } from "../routes/route.ts";
import { frameStream } from "../routes/sse.ts";
import { describeCopy } from "./copied.ts";
import { copyZip } from "./copy-zip.ts";
import { lost, type Loss } from "./loss.ts";

export interface RecoveryParts {
  /** Of the database. */
  readonly name: string;
  readonly loss: Loss;
  readonly place: () => Promise<CopyPlace>;
  /** Opens the project that is there now, whatever is in it; rejects when that does not work either. */
  readonly proceed: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

const body = v.variant("action", [
  v.object({ action: v.literal("restore"), generation: v.number("expected a number") }),
  v.object({ action: v.literal("anew") }),
]);

const blocked = "Another tab still has the old storage open. Close Vibey's other tabs to go on.";

/**
 * Stands in for the engine of a project whose storage is lost: says what was found of it, and does what the human chooses. Nothing is
 * written before that.
 */
export function recovery({ name, loss, place, proceed, report }: RecoveryParts): Handler {
  /** A choice is being carried out. */
  let busy = false;
  let looking: Promise<readonly FoundCopy[]> | null = null;

  /** Read once, since nobody writes them now: a log that is open can't be opened for a second question that comes meanwhile. */
  function look(): Promise<readonly FoundCopy[]> {
    looking ??= readCopies().catch((error: unknown) => {
      looking = null;
      throw error;
    });
    return looking;
  }

  async function readCopies(): Promise<readonly FoundCopy[]> {
    const found = await findCopies(await place(), true);
    // Another tab that has them open may let go of them.
    if (found.length === 0) looking = null;
    return found;
  }

  async function copies(): Promise<Pick<RecoveryAnswer, "copies" | "trouble">> {
    try {
      return { copies: (await look()).map(describeCopy), trouble: null };
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      return { copies: [], trouble: error.message };
    }
  }

  const find = async (generation: number): Promise<FoundCopy | undefined> => (await look()).find((copy) => copy.generation === generation);

  async function restore(copy: FoundCopy, signal: AbortSignal, send: (frame: RecoveryFrame) => void): Promise<void> {
    const { content, close } = await openCopy(await place(), copy);
    try {
      await restoreCopy({
        name,
        copy,
        content,
        signal,
        onProgress: (part) => send({ type: "progress", part }),
        onBlocked: () => send({ type: "waiting", message: blocked }),
      });
    } finally {
      close();
    }
    await proceed();
  }

  const app = new Hono();
  route(app, "/recovery", {
    GET: async () => json({ ...loss, ...(await copies()) } satisfies RecoveryAnswer),
    async POST({ request }) {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      if (busy) return failure(409, "This is being done already");
      busy = true;
      if (parsed.value.action === "anew") {
        try {
          await deleteProject(name, () => undefined);
          await proceed();
          return json({ ok: true });
        } catch (error) {
          if (!(error instanceof StorageError)) throw error;
          return failure(507, error.message);
        } finally {
          busy = false;
        }
      }
      const copy = await find(parsed.value.generation).catch((error: unknown) => {
        busy = false;
        throw error;
      });
      if (!copy) {
        busy = false;
        return failure(404, "There is no such copy");
      }
      const { sink, response } = frameStream<RecoveryFrame>();
      restore(copy, request.signal, (frame) => sink.send(frame))
        .then(
          () => sink.send({ type: "done" }),
          (error: unknown) => {
            if (!request.signal.aborted && !(error instanceof StorageError)) report(error);
            sink.send({ type: "error", error: error instanceof Error ? error.message : String(error) });
          },
        )
        .finally(() => {
          busy = false;
          sink.end();
        });
      return response();
    },
  });
  route(app, "/copy.zip", {
    async GET({ url }) {
      const found = await find(Number(url.searchParams.get("generation") ?? Number.NaN));
      if (!found) return failure(404, "There is no such copy");
      const { content, close } = await openCopy(await place(), found);
      return copyZip(found.files, content, close);
    },
  });
  answerErrors(app, report);
  app.notFound(() => lost(loss));
  return async (request) => app.fetch(request);
}
