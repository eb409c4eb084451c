import { expect } from "vitest";
import { GraphFold } from "../../../src/protocol/graph/fold.ts";
import { stateNow } from "../../../src/protocol/graph/live.ts";
import { Timeline } from "../../../src/protocol/graph/timeline.ts";
import { pathsThen, textThen } from "../../../src/app/run-graph/files-then.ts";
import type {
  AgentState,
  DeedListing,
  DialogListing,
  FilesThenAnswer,
  GraphAnswer,
  HistoryFilesAnswer,
  RunLogAnswer,
  RunLogEntry,
  StepsAnswer,
} from "../../../src/protocol/index.ts";
import type { Bench } from "../harness.ts";

const get = async <T>(b: Bench, path: string): Promise<T> => (await (await b.ask("GET", path)).json()) as T;

/** The possible states of an agent whose dialog is listed like this. */
function statesOf({ status, waitingFor }: DialogListing): readonly AgentState[] {
  if (status === "done") return ["completed", "idle", "aborted", "paused", "error"];
  const byWait = { leave: ["asks"], question: ["asks"], failed: ["error"], stopped: ["aborted"], interrupted: ["paused"] } as const;
  return waitingFor === null || waitingFor === "word" ? ["completed", "idle", "paused"] : byWait[waitingFor];
}

const withoutState = ({ agents, files, edges }: Pick<GraphAnswer, "agents" | "files" | "edges">) => ({
  agents: agents.map((agent) => ({ ...agent, state: null })),
  files,
  edges,
});

/** Checks that the graph, the log and the list of an idle project agree, and every moment of a replay, too. */
export async function runGraphAgrees(b: Bench, dialogs: readonly DialogListing[]): Promise<void> {
  const graph = await get<GraphAnswer>(b, "/agents/graph");
  const listed = new Map(dialogs.map((one) => [one.dialogId, one]));
  expect(
    graph.agents
      .map(({ dialogId, parent, tokens, nanos }) => ({ dialogId, parent, tokens, nanos }))
      .toSorted((x, y) => (x.dialogId < y.dialogId ? -1 : 1)),
  ).toEqual(
    dialogs
      .map(({ dialogId, launchedBy, tokens, cost }) => ({
        dialogId,
        parent: launchedBy ?? null,
        tokens: tokens ?? null,
        nanos: cost ?? null,
      }))
      .toSorted((x, y) => (x.dialogId < y.dialogId ? -1 : 1)),
  );
  for (const { dialogId, state } of graph.agents) {
    const one = listed.get(dialogId);
    expect(one === undefined ? [] : statesOf(one), `${dialogId} is ${state}`).toContain(state);
  }
  for (const { dialogId } of graph.agents.filter(({ parent }) => parent === null)) {
    const run = await get<GraphAnswer>(b, `/agents/graph?run=${dialogId}`);
    const isIn = (id: string | null): boolean => id !== null && (id === dialogId || isIn(listed.get(id)?.launchedBy ?? null));
    expect(new Set(run.agents.map((agent) => agent.dialogId))).toEqual(new Set([...listed.keys()].filter(isIn)));
    const log = await get<RunLogAnswer>(b, `/agents/log?run=${dialogId}&limit=1000`);
    const spawned = log.entries.flatMap(({ type, data, dialogId: from }) =>
      type === "spawn" ? [`${from} ${JSON.stringify(data["child"]).slice(1, -1)}`] : [],
    );
    const edges = run.edges.flatMap((edge) => (edge.kind === "spawned" ? [`${edge.from} ${edge.to}`] : []));
    expect(spawned.toSorted()).toEqual(edges.toSorted());
    const written = log.entries.flatMap(({ type, data }) => (type === "file_change" && data["turn"] !== true ? [data["path"]] : []));
    expect(new Set(run.files.map(({ path }) => path))).toEqual(new Set(written));
    expect(await get<RunLogEntry[]>(b, `/agents/log/export?run=${dialogId}`)).toEqual(
      log.entries
        .toReversed()
        .map(({ timestamp, type, agentId, activationId, data }) => ({ timestamp, type, agentId, activationId, data })),
    );
  }
  await replayAgrees(b, graph, listed);
}

/** Checks that the files at the last moment are those of the project, with the same contents. */
async function filesAgree(b: Bench, event: string): Promise<void> {
  const deed = (await get<DeedListing[]>(b, "/deed")).map(({ path }) => path);
  const { commit, written } = await get<FilesThenAnswer>(b, `/agents/log/files?event=${event}`);
  const committed = commit === null ? [] : (await get<HistoryFilesAnswer>(b, `/history/${commit}/files`)).files;
  expect(pathsThen(committed, written).filter((path) => !path.startsWith("vibey/"))).toEqual(deed.toSorted());
  for (const path of deed) {
    const { ops } = await get<FilesThenAnswer>(b, `/agents/log/files?event=${event}&path=${path}`);
    const before = commit === null ? null : await b.ask("GET", `/history/${commit}/file/${path}`);
    const text = textThen(before?.ok === true ? await before.text() : null, ops);
    expect(text, path).toBe(await (await b.ask("GET", `/deed/${path}`)).text());
  }
}

async function replayAgrees(b: Bench, graph: GraphAnswer, listed: ReadonlyMap<string, DialogListing>): Promise<void> {
  const { steps, whole, stamp } = await get<StepsAnswer>(b, "/agents/log/steps");
  expect(whole).toBe(true);
  const timeline = new Timeline();
  timeline.add(steps);
  const last = timeline.at(steps.length).graph(null);
  expect(withoutState(last)).toEqual(withoutState(graph));
  expect(last.agents.map((agent) => stateNow(agent, listed.get(agent.dialogId)))).toEqual(graph.agents.map(({ state }) => state));
  const end = steps.at(-1)?.cursor;
  if (end !== undefined) await filesAgree(b, end);
  const middle = Math.floor(steps.length / 2);
  const cursor = steps[middle - 1]?.cursor;
  if (cursor === undefined) return;
  const fold = new GraphFold();
  for (const step of steps.slice(0, middle)) fold.apply(step);
  expect(timeline.at(middle).graph(null)).toEqual(fold.graph(null));
  const { agents, files, edges } = await get<GraphAnswer>(b, `/agents/log/at?event=${cursor}`);
  expect({ agents, files, edges }).toEqual(fold.graph(null));
  const rest = await get<StepsAnswer>(b, `/agents/log/steps?since=${cursor}&stamp=${stamp}`);
  expect(rest).toEqual({ stamp, whole: false, steps: steps.slice(middle) });
}
