import type { RunLogAnswer, RunLogFilter, StepsAnswer } from "../../protocol/index.ts";
import { ask, json } from "../model/api/calls.ts";

/** `of`: the steps after this event of the list with that stamp; null: all steps. */
export function readSteps(run: string, of: { readonly since: string; readonly stamp: string } | null, signal: AbortSignal) {
  return json<StepsAnswer>(`agents/log/steps?${new URLSearchParams({ run, ...of })}`, { signal });
}

export function runLogQuery(
  filter: RunLogFilter,
  page: { readonly before?: string; readonly since?: string; readonly limit?: number } = {},
): string {
  const query = new URLSearchParams();
  const { types, ...rest } = filter;
  for (const [name, value] of Object.entries({ ...rest, ...page })) query.set(name, String(value));
  if (types !== undefined) query.set("type", types.join(","));
  return query.size === 0 ? "" : `?${query}`;
}

export const readRunLog = (
  filter: RunLogFilter,
  page: { readonly before?: string; readonly since?: string; readonly limit?: number },
  signal: AbortSignal,
) => json<RunLogAnswer>(`agents/log${runLogQuery(filter, page)}`, { signal });

/** The matching entries, oldest first, as a file. */
export const fetchRunLog = (filter: RunLogFilter) => ask(`agents/log/export${runLogQuery(filter)}`, (response) => response.blob());
