import * as v from "valibot";
import { type Actor, dialogOf } from "../../fs/actor.ts";
import type { History } from "../../fs/history/history.ts";
import type { CommitRecord, FileChange } from "../../fs/history/store.ts";
import { type Path, parsePath } from "../../fs/path.ts";
import { StorageError } from "../../fs/storage-error.ts";
import type {
  HistoryAnswer,
  HistoryCommit,
  HistoryCommitAnswer,
  HistoryDiffAnswer,
  HistoryFilesAnswer,
  RestorePreview,
} from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { byOf } from "../project/history/people.ts";
import { kindOf } from "../project/history/summary.ts";
import type { TurnBack, TurnBackRefusal } from "../project/history/turn-back.ts";
import type { Undone } from "../project/history/undone.ts";
import { decodeText } from "../text.ts";
import { failure, json } from "./answers.ts";
import { nonEmpty, readBody, text } from "./body.ts";
import { type Call, route, type Routes } from "./route.ts";

const defaultPage = 50;

const whos = ["human", "agent", "vibey"] as const satisfies readonly Actor["kind"][];

const body = v.object({ id: nonEmpty, path: v.optional(text) });

export interface HistoryRouteContext {
  readonly history: History;
  /** Settles when pending changes are committed, or after a time limit. */
  readonly upToDate: () => Promise<void>;
  readonly turnBack: TurnBack;
  readonly undone: Undone;
}

/** The project's history: what was changed, when and by whom, and how to restore it. */
export function historyRoutes(app: Routes, { history, upToDate, turnBack, undone }: HistoryRouteContext): void {
  route(app, "/history", {
    GET: async ({ url }) => {
      const query = readQuery(url.searchParams);
      if (!query.ok) return failure(400, query.why);
      const { path, before, limit, dialog, by, since } = query;
      const matches = (record: CommitRecord): boolean => {
        const who = byOf(record);
        return (dialog === null || dialogOf(who) === dialog) && (by === null || who.kind === by);
      };
      const end = before === null ? null : await history.get(before);
      if (before !== null && !end) return failure(404, "before: there is no such commit");
      if (!end) await upToDate();
      const { commits, more } = await history.log({
        limit,
        ...(end ? { before: end.record } : {}),
        ...(path === null ? {} : { path }),
        ...(since === null ? {} : { since }),
        ...(dialog === null && by === null ? {} : { matches }),
      });
      const taken = await undone.of(commits);
      return json({ commits: commits.map((record) => commitOf(record, taken)), more } satisfies HistoryAnswer);
    },
  });

  route(app, "/history/restore", { POST: ({ request }) => answerTurnBack(request, (id, path) => turnBack.restore(id, path)) });
  route(app, "/history/undo", { POST: ({ request }) => answerTurnBack(request, (id, path) => turnBack.undo(id, path)) });

  route(app, "/history/:id", {
    GET: async ({ param }) => {
      const found = await history.get(param("id"));
      if (!found) return failure(404, "Commit not found");
      const changes = found.files.map((change) => ({ path: change.path, change: kindOf(change) }));
      const taken = await undone.of([found.record]);
      return json({ ...commitOf(found.record, taken), changes } satisfies HistoryCommitAnswer);
    },
  });

  route(app, "/history/:id/restore", {
    GET: async ({ param }) => {
      await upToDate();
      const paths = await turnBack.preview(param("id"));
      if (!paths) return failure(404, "Commit not found");
      return json({ files: paths.length, paths: paths.slice(0, limits.historyPage) } satisfies RestorePreview);
    },
  });

  route(app, "/history/:id/files", {
    GET: async ({ param }) => {
      const found = await history.get(param("id"));
      if (!found) return failure(404, "Commit not found");
      return json({ files: [...(await history.filesAt(found.record)).keys()].toSorted() } satisfies HistoryFilesAnswer);
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

  /** Null if there is no such file, undefined if it isn't text. */
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
      if (!found) return failure(404, "Commit not found");
      try {
        return await handle(found, parsed.path);
      } catch (error) {
        if (!(error instanceof StorageError) || error.kind !== "damaged") throw error;
        return failure(500, `${parsed.path} is damaged in the history: ${error.message}`);
      }
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
      return failure(409, "files kept changing, so nothing was done. Try again when no agent is working");
    case "history":
      return failure(503, `this would overwrite changes that aren't in the history yet: ${refusal.message}. Nothing was changed`);
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
      readonly by: Actor["kind"] | null;
      readonly since: number | null;
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
  const who = query.get("by");
  const by = whos.find((one) => one === who) ?? null;
  if (who !== null && by === null) return { ok: false, why: `by: expected ${whos.slice(0, -1).join(", ")} or ${whos.at(-1)}` };
  const time = query.get("since");
  const since = time === null ? null : Date.parse(time);
  if (Number.isNaN(since)) return { ok: false, why: "since: expected a time in ISO 8601" };
  return { ok: true, path: path?.path ?? null, before: query.get("before"), limit, dialog: query.get("dialog"), by, since };
}

function commitOf(record: CommitRecord, undone: ReadonlyMap<string, CommitRecord>): HistoryCommit {
  const { id, time, summary, count } = record;
  const by = undone.get(id);
  return {
    id,
    time: new Date(time).toISOString(),
    by: byOf(record),
    summary,
    filesChanged: count,
    undone: by ? { by: by.id, files: by.count } : null,
  };
}
