import { eventTypes } from "../log/entry.ts";
import type { LogAnswer, LogEvent, LogFilter } from "../../protocol/index.ts";
import { countUpTo } from "../log/cursor.ts";
import { createEventReader, type EventReader } from "../log/event-reader.ts";
import { followLog } from "../log/follow.ts";
import { backwards, filtered } from "../log/query.ts";
import { progressOf } from "../progress.ts";
import { failure, json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { jsonList, oneOf, page, readLimit, severities, stored } from "./log-parts.ts";
import { createRoutes, route } from "./route.ts";
import { pulledStream } from "./sse.ts";
import { runGraphRoutes } from "./run-graph.ts";

type LogContext = Pick<RouteContext, "files" | "store" | "log" | "agents" | "history" | "bus">;

/** What happened in the project, read from its dialogs and its history in the order of events. */
export function logRoutes(context: LogContext, report: (error: unknown) => void) {
  const app = createRoutes(report);
  let made: EventReader | null = null;
  /** `upToDate`: commits finished file changes first, so that the log includes them. */
  async function open(url: URL, upToDate: boolean) {
    const { dialogs } = await context.agents();
    const log = await context.log.open(progressOf(url, context.bus));
    if (upToDate) await (await context.history.commits())?.upToDate();
    await context.store.flush();
    made ??= createEventReader({
      files: context.files,
      live: (dialogId) => dialogs.peek(dialogId),
      commits: context.history.commits,
    });
    return { log, reader: made };
  }
  route(app, "/events", {
    GET: stored(async ({ url }) => {
      const { log, reader } = await open(url, false);
      const left = new AbortController();
      return pulledStream(followLog(log, reader, context.bus, url.searchParams.get("since") ?? "", left.signal), () => left.abort());
    }),
  });
  route(app, "/log", {
    GET: stored(async ({ request, url }) => {
      const query = readFilter(url.searchParams);
      if (!query.ok) return failure(400, query.why);
      const limit = readLimit(url.searchParams.get("limit"));
      if (limit === null) return failure(400, `limit: expected a number from 1 to ${page.most}`);
      const before = url.searchParams.get("before");
      const { log, reader } = await open(url, before === null);
      const end = before === null ? log.positions.length + 1 : countUpTo(log.positions, log.logId, before);
      if (end === null) return failure(410, "before: the log has no such place; it was built again, or the cursor is none");
      const events: LogEvent[] = [];
      let more = false;
      let units = 0;
      for await (const event of filtered(log, reader, backwards(log.positions, end - 1), query.filter, request.signal)) {
        more = events.length === limit || units > page.units;
        if (more || request.signal.aborted) break;
        events.push(event);
        units += JSON.stringify(event).length;
      }
      return json({ logId: log.logId, events, more } satisfies LogAnswer);
    }),
  });
  route(app, "/log.json", {
    GET: stored(async ({ url }) => {
      const query = readFilter(url.searchParams);
      if (!query.ok) return failure(400, query.why);
      const { log, reader } = await open(url, true);
      const left = new AbortController();
      const events = filtered(log, reader, log.positions.slice(), query.filter, left.signal);
      return jsonList(events, "events.json", () => left.abort());
    }),
  });
  runGraphRoutes(app, { context, open });
  return app.fetch;
}

type Query = { readonly ok: true; readonly filter: LogFilter } | { readonly ok: false; readonly why: string };

const actors = ["human", "agent", "vibey"] as const;

function readFilter(params: URLSearchParams): Query {
  const [dialog, tool] = [params.get("dialog"), params.get("tool")];
  const [severity, by] = [oneOf(severities, params.get("severity")), oneOf(actors, params.get("by"))];
  if (severity === null) return { ok: false, why: `severity: expected ${severities.join(", ")}` };
  if (by === null) return { ok: false, why: `by: expected ${actors.join(", ")}` };
  const named = params.get("type")?.split(",") ?? null;
  const types = named?.flatMap((type) => oneOf(eventTypes, type) ?? []);
  if (named?.length !== types?.length) return { ok: false, why: `type: expected ${eventTypes.join(", ")}` };
  return {
    ok: true,
    filter: {
      ...(dialog === null ? {} : { dialog }),
      ...(tool === null ? {} : { tool }),
      ...(severity === undefined ? {} : { severity }),
      ...(by === undefined ? {} : { by }),
      ...(types === undefined ? {} : { types }),
    },
  };
}
