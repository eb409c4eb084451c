/** The page's side of the project's log. */
import type { LogAnswer, LogFilter } from "../../../protocol/index.ts";
import { ask, json } from "./calls.ts";

/** `before`: only events older than this cursor. `progress`: what live events call the work of building the log again. */
export interface LogPage {
  readonly before?: string | undefined;
  readonly limit?: number;
  readonly progress?: string;
}

/** What the engine is asked for, after the path: "", or "?dialog=…&type=text,message". */
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

/** Events that match, newest first. */
export const readLog = (filter: LogFilter, page: LogPage = {}, signal?: AbortSignal) =>
  json<LogAnswer>(`log${logQuery(filter, page)}`, signal ? { signal } : {});

/** All events that match, oldest first, as a file. */
export const fetchLog = (filter: LogFilter) => ask(`log.json${logQuery(filter)}`, (response) => response.blob());

/** Answers with a stream of `LogFrame`: every event after this cursor; null: all. */
export const openLog = (since: string | null, signal: AbortSignal) =>
  ask(`events?${new URLSearchParams({ since: since ?? "" })}`, async (response) => response, { signal });
