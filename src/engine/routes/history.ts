import type { Hono } from "hono/tiny";
import * as v from "valibot";
import type { History } from "../../fs/history/history.ts";
import type { CommitRecord, FileChange } from "../../fs/history/store.ts";
import { type Path, parsePath } from "../../fs/path.ts";
import type { HistoryAnswer, HistoryCommit, HistoryCommitAnswer, HistoryDiffAnswer } from "../api.ts";
import { limits } from "../limits.ts";
import { byOf } from "../project-history/people.ts";
import type { Recorder } from "../project-history/recorder.ts";
import { kindOf } from "../project-history/summary.ts";
import type { TurnBack, TurnBackRefusal } from "../project-history/turn-back.ts";
import { decodeText } from "../text.ts";
import { failure, json } from "./answers.ts";
import { nonEmpty, readBody, text } from "./body.ts";
import { type Call, route } from "./route.ts";

const defaultPage = 50;

const body = v.object({ id: nonEmpty, path: v.optional(text) });

export interface HistoryRouteContext {
  readonly history: History;
  readonly recorder: Pick<Recorder, "settle">;
  readonly turnBack: TurnBack;
  readonly later: (then: () => void, ms: number) => void;
}

/** The project's history: what was changed, when and by whom, and the way back. */
export function historyRoutes(app: Hono, { history, recorder, turnBack, later }: HistoryRouteContext): void {
  route(app, "/history", {
    GET: async ({ url }) => {
      const query = readQuery(url.searchParams);
      if (!query.ok) return failure(400, query.why);
      const { path, before, limit, dialog } = query;
      const end = before === null ? null : await history.get(before);
      if (before !== null && !end) return failure(404, "before: there is no such commit");
      if (!end) await upToDate();
      const { commits, more } = await history.log({
        limit,
        ...(end ? { before: end.record } : {}),
        ...(path === null ? {} : { path }),
        ...(dialog === null ? {} : { matches: (record: CommitRecord) => byOf(record).dialogId === dialog }),
      });
      return json({ commits: commits.map(commitOf), more } satisfies HistoryAnswer);
    },
  });

  route(app, "/history/restore", { POST: ({ request }) => answerTurnBack(request, (id, path) => turnBack.restore(id, path)) });
  route(app, "/history/undo", { POST: ({ request }) => answerTurnBack(request, (id, path) => turnBack.undo(id, path)) });

  route(app, "/history/:id", {
    GET: async ({ param }) => {
      const found = await history.get(param("id"));
      if (!found) return failure(404, "Commit not found");
      const changes = found.files.map((change) => ({ path: change.path, change: kindOf(change) }));
      return json({ ...commitOf(found.record), changes } satisfies HistoryCommitAnswer);
    },
  });

  route(app, "/history/:id/diff/:path{.+}", {
    GET: withFile(async ({ files }, path) => {
      const change = files.find((one) => one.path === path);
      if (!change) return failure(404, `path: the commit did not change ${path}`);
      const [before, after] = [await textOf(change.before), await textOf(change.after)];
      const binary = before === undefined || after === undefined;
      return json((binary ? { before: null, after: null, binary } : { before, after, binary }) satisfies HistoryDiffAnswer);
    }),
  });

  route(app, "/history/:id/file/:path{.+}", {
    GET: withFile(async ({ record }, path) => {
      const oid = await history.fileAt(record, path);
      if (oid === null) return failure(404, "File not found");
      return new Response(new Uint8Array(await history.bytes(oid)), {
        headers: { "content-type": "application/octet-stream", "x-content-type-options": "nosniff", "cache-control": "no-store" },
      });
    }),
  });

  /** What was done and is quiet now is in the list; it does not wait for long, as when a whole project is committed at first. */
  async function upToDate(): Promise<void> {
    await Promise.race([recorder.settle("quiet"), new Promise<void>((resolve) => later(resolve, limits.historyListWaitMs))]);
  }

  /** null: there is no such file; undefined: it is no text. */
  async function textOf(oid: string | null): Promise<string | null | undefined> {
    return oid === null ? null : (decodeText(await history.bytes(oid)) ?? undefined);
  }

  function withFile(
    handle: (found: { readonly record: CommitRecord; readonly files: readonly FileChange[] }, path: Path) => Promise<Response>,
  ): (call: Call) => Promise<Response> {
    return async ({ param }) => {
      const parsed = parsePath(param("path"));
      if (!parsed.ok) return failure(400, `path: ${parsed.failure.why}`);
      const found = await history.get(param("id"));
      return found ? handle(found, parsed.path) : failure(404, "Commit not found");
    };
  }
}

async function answerTurnBack(request: Request, turnBack: TurnBack["undo"]): Promise<Response> {
  const parsed = await readBody(request, body);
  if (!parsed.ok) return parsed.answer;
  const { id, path } = parsed.value;
  const file = path === undefined ? null : parsePath(path);
  if (file?.ok === false) return failure(400, `path: ${file.failure.why}`);
  const done = await turnBack(id, file?.path ?? null);
  return done.ok ? json(done.answer) : refusalAnswer(done.refusal);
}

function refusalAnswer(refusal: TurnBackRefusal): Response {
  switch (refusal.kind) {
    case "unknown-commit":
      return failure(404, "Commit not found");
    case "unknown-path":
      return failure(404, "path: the commit knows no such file");
    case "busy":
      return failure(409, "files kept changing meanwhile; nothing was changed. Try again when no agent is writing");
    case "history":
      return failure(503, `what is not in the history yet would be lost: ${refusal.message}. Nothing was changed`);
    case "storage":
      return failure(507, refusal.message);
  }
}

type Query =
  | {
      readonly ok: true;
      readonly path: Path | null;
      readonly before: string | null;
      readonly limit: number;
      readonly dialog: string | null;
    }
  | { readonly ok: false; readonly why: string };

function readQuery(query: URLSearchParams): Query {
  const given = query.get("path");
  const path = given === null ? null : parsePath(given);
  if (path?.ok === false) return { ok: false, why: `path: ${path.failure.why}` };
  const limit = Number(query.get("limit") ?? defaultPage);
  if (!Number.isInteger(limit) || limit < 1 || limit > limits.historyPage) {
    return { ok: false, why: `limit: expected a number from 1 to ${limits.historyPage}` };
  }
  return { ok: true, path: path?.path ?? null, before: query.get("before"), limit, dialog: query.get("dialog") };
}

function commitOf(record: CommitRecord): HistoryCommit {
  const { id, time, summary, count } = record;
  return { id, time: new Date(time).toISOString(), by: byOf(record), summary, filesChanged: count };
}
