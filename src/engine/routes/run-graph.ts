import type { DialogListing, FilesThenAnswer, GraphAnswer, RunLogAnswer, RunLogRow, StepsAnswer } from "../../protocol/index.ts";
import type { GraphFold } from "../../protocol/graph/fold.ts";
import { stateNow } from "../../protocol/graph/live.ts";
import { countUpTo } from "../log/cursor.ts";
import type { EventReader } from "../log/event-reader.ts";
import { followLog } from "../log/follow.ts";
import type { OpenLog } from "../log/log.ts";
import { backwards } from "../log/query.ts";
import { exported } from "../run-graph/entry.ts";
import { commitBefore, opsOf, writtenFiles, writtenSince } from "../run-graph/files-at.ts";
import { entriesIn, followEntries, type Members, readFilter } from "../run-graph/query.ts";
import { stepPath } from "../run-graph/step-path.ts";
import { countSteps, createStepReader, fold, membersOf, type StepReader, stepsOf } from "../run-graph/reader.ts";
import { failure, json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { jsonList, page, readLimit, stored } from "./log-parts.ts";
import { route, type Routes } from "./route.ts";
import { pulledStream } from "./sse.ts";

/** What the routes of runs share with those of the log. */
export interface RunGraphParts {
  readonly context: Pick<RouteContext, "agents" | "bus">;
  readonly open: (url: URL, upToDate: boolean) => Promise<{ readonly log: OpenLog; readonly reader: EventReader }>;
}

const gone = (name: string): Response => failure(410, `${name}: the log has no such place; it was built again, or the cursor is none`);
const noRun = (): Response => failure(404, "run: there is no such dialog");

/** What the agents of a run did: as a graph, as a log, and as the state at any moment. */
export function runGraphRoutes(app: Routes, { context, open }: RunGraphParts): void {
  let made: StepReader | null = null;
  function stepReader(): StepReader {
    if (made !== null) return made;
    const reading = createStepReader();
    context.bus.listen((event) => {
      if (event.type === "dialog_removed" && event.dialogId !== null) reading.removed(event.dialogId);
    });
    made = reading;
    return reading;
  }

  async function openSteps(url: URL) {
    const { log, reader } = await open(url, true);
    const { stamp, steps } = await stepReader().read(log, reader);
    const run = url.searchParams.get("run") || null;
    return { log, reader, stamp, run, steps: stepsOf(steps, run) };
  }

  const members = async (log: OpenLog, reader: EventReader, run: string): Promise<Members> =>
    membersOf((await stepReader().read(log, reader)).steps, run);

  function graphAnswer(graph: GraphFold, run: string | null, logId: string, cursor: string): GraphAnswer {
    return { logId, cursor, ...graph.graph(run) };
  }

  route(app, "/agents/graph", {
    GET: stored(async ({ url }) => {
      const { log, run, steps } = await openSteps(url);
      if (run !== null && steps.length === 0) return noRun();
      const graph = graphAnswer(fold(steps), run, log.logId, steps.at(-1)?.cursor ?? "");
      const listed = new Map((await (await context.agents()).dialogs.list()).map((one): [string, DialogListing] => [one.dialogId, one]));
      return json({
        ...graph,
        agents: graph.agents.map((agent) => ({ ...agent, state: stateNow(agent, listed.get(agent.dialogId)) })),
      } satisfies GraphAnswer);
    }),
  });

  route(app, "/agents/log/at", {
    GET: stored(async ({ url }) => {
      const event = url.searchParams.get("event");
      if (event === null) return failure(400, "event: expected the cursor of an event");
      const { log, run, steps } = await openSteps(url);
      if (run !== null && steps.length === 0) return noRun();
      const count = countSteps(log, steps, event);
      return count === null ? gone("event") : json(graphAnswer(fold(steps.slice(0, count)), run, log.logId, event));
    }),
  });

  route(app, "/agents/log/files", {
    GET: stored(async ({ url }) => {
      const event = url.searchParams.get("event");
      if (event === null) return failure(400, "event: expected the cursor of an event");
      const { log, reader } = await open(url, false);
      const { steps } = await stepReader().read(log, reader);
      const [count, place] = [countSteps(log, steps, event), countUpTo(log.positions, log.logId, event)];
      if (count === null || place === null) return gone("event");
      const written = writtenSince(steps.slice(0, count));
      const path = stepPath(url.searchParams.get("path") ?? "");
      return json({
        commit: await commitBefore(log, reader, place),
        written: writtenFiles(written),
        ops: path === null ? [] : await opsOf(log, reader, written.get(path) ?? []),
      } satisfies FilesThenAnswer);
    }),
  });

  route(app, "/agents/log/steps", {
    GET: stored(async ({ url }) => {
      const { log, run, stamp, steps } = await openSteps(url);
      if (run !== null && steps.length === 0) return noRun();
      const since = url.searchParams.get("since");
      const known = since !== null && url.searchParams.get("stamp") === stamp ? countSteps(log, steps, since) : null;
      return json({ stamp, whole: known === null, steps: known === null ? steps : steps.slice(known) } satisfies StepsAnswer);
    }),
  });

  route(app, "/agents/log", {
    GET: stored(async ({ request, url }) => {
      const query = readFilter(url.searchParams);
      if (!query.ok) return failure(400, query.why);
      const limit = readLimit(url.searchParams.get("limit"));
      if (limit === null) return failure(400, `limit: expected a number from 1 to ${page.most}`);
      const [before, since] = [url.searchParams.get("before"), url.searchParams.get("since")];
      if (request.headers.get("accept")?.includes("text/event-stream") === true) {
        const { log, reader } = await open(url, false);
        const left = new AbortController();
        const { run } = query.filter;
        const frames = followEntries(
          followLog(log, reader, context.bus, since ?? "", left.signal),
          query.filter,
          run === undefined ? null : () => members(log, reader, run),
        );
        return pulledStream(frames, () => left.abort());
      }
      const { log, reader } = await open(url, before === null);
      const end = before === null ? log.positions.length + 1 : countUpTo(log.positions, log.logId, before);
      if (end === null) return gone("before");
      const start = since === null ? 0 : countUpTo(log.positions, log.logId, since);
      if (start === null) return gone("since");
      const { run } = query.filter;
      const dialogs = run === undefined ? null : await members(log, reader, run);
      if (dialogs?.size === 0) return noRun();
      const entries: RunLogRow[] = [];
      let more = false;
      let units = 0;
      for await (const entry of entriesIn(log, reader, backwards(log.positions, end - 1, start), query.filter, dialogs, request.signal)) {
        more = entries.length >= limit || units > page.units;
        if (more || request.signal.aborted) break;
        entries.push(entry);
        units += JSON.stringify(entry).length;
      }
      return json({ logId: log.logId, entries, more } satisfies RunLogAnswer);
    }),
  });

  route(app, "/agents/log/export", {
    GET: stored(async ({ url }) => {
      const query = readFilter(url.searchParams);
      if (!query.ok) return failure(400, query.why);
      const { log, reader } = await open(url, true);
      const { run } = query.filter;
      const dialogs = run === undefined ? null : await members(log, reader, run);
      if (dialogs?.size === 0) return noRun();
      const left = new AbortController();
      const entries = exportedOf(entriesIn(log, reader, log.positions.slice(), query.filter, dialogs, left.signal));
      return jsonList(entries, "event-log.json", () => left.abort());
    }),
  });
}

async function* exportedOf(rows: AsyncGenerator<RunLogRow>) {
  for await (const row of rows) yield exported(row);
}
