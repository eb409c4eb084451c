/** Calls for the project's log. */
import type { LogAnswer, LogFilter } from "../../../protocol/index.ts";
import { ask, json } from "./calls.ts";

/** `before`: only events older than this cursor. `progress`: the id under which live events report the rebuilding of the log. */
export interface LogPage {
  readonly before?: string | undefined;
  readonly limit?: number;
  readonly progress?: string;
}

/** The query after the path: "", or "?dialog=…&type=text,message". */
export function logQuery(filter: LogFilter, page: LogPage = {}): string {
  const query = new URLSearchParams();
  if (filter.dialog !== undefined) query.set("dialog", filter.dialog);
  if (filter.types !== undefined) query.set("type", filter.types.join(","));
  if (filter.tool !== undefined) query.set("tool", filter.tool);
  if (filter.severity !== undefined) query.set("severity", filter.severity);
  if (filter.by !== undefined) query.set("by", filter.by);
  if (page.before !== undefined) query.set("before", page.before);
  if (page.limit !== undefined) query.set("limit", String(page.limit));
  if (page.progress !== undefined) query.set("progress", page.progress);
  return query.size === 0 ? "" : `?${query}`;
}

/** Matching events, newest first. */
export const readLog = (filter: LogFilter, page: LogPage = {}, signal?: AbortSignal) =>
  json<LogAnswer>(`log${logQuery(filter, page)}`, signal ? { signal } : {});

/** All matching events, oldest first, as a file. */
export const fetchLog = (filter: LogFilter) => ask(`log.json${logQuery(filter)}`, (response) => response.blob());

/** Returns a stream of `LogFrame` with every event after this cursor; null: all events. */
export const openLog = (since: string | null, signal: AbortSignal) =>
  ask(`events?${new URLSearchParams({ since: since ?? "" })}`, async (response) => response, { signal });
