/** A run of 1,000 agents with 100,000 events: its layout, the first page of its log, a step of the scrubber, and the drawn part of its graph. */
import { createEventReader } from "../src/engine/log/event-reader.ts";
import { createLog } from "../src/engine/log/log.ts";
import { backwards } from "../src/engine/log/query.ts";
import { entriesIn } from "../src/engine/run-graph/query.ts";
import { createStepReader, membersOf, stepsOf } from "../src/engine/run-graph/reader.ts";
import { memoryFiles, memoryStore } from "../src/fs/memory.ts";
import { vibeyPath } from "../src/fs/vibey-name.ts";
import { Timeline } from "../src/protocol/graph/timeline.ts";
import { visibleGraph } from "../src/app/run-graph/visible-graph.ts";
import { layoutOf, nodesOf } from "../src/app/run-graph/layout.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const agents = 1_000;
/** Responses of each agent, each with a call: seven events. */
const responses = 14;
const fanOut = 5;
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
const idOf = (nth: number) => `${at(nth).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-worker-${nth}`;

function dialogText(nth: number): string {
  const parent = nth === 0 ? "" : `\n> Launched by: ${idOf(Math.floor((nth - 1) / fanOut))}`;
  const lines = [
    `# Dialog\n> Format: 1\n> Provider: claude | Model: m\n> Started: ${at(nth)}${parent}`,
    `## User\n> Time: ${at(nth)}\n\nDo task ${nth}.`,
  ];
  for (let turn = 0; turn < responses; turn += 1) {
    const path = `artifacts/${nth % 50}.md`;
    const call = `---\nTool request: write_file [w${turn}]\n\n    {"path": "${path}", "content": "x"}\n\nDecision: approved`;
    const result = `Started: ${at(nth + turn)}\nResult:\n\n    {"success": true, "ms": 12}\n\n---\n\n> Usage: input=10 output=5 total=15`;
    lines.push(`## Assistant\n> Time: ${at(nth + turn)} - ${at(nth + turn)}\n\nI write.\n\n${call}\n${result}`);
  }
  lines.push(`## Assistant\n> Time: ${at(nth + responses)} - ${at(nth + responses)}\n\nDone.\n`);
  return lines.join("\n\n");
}

const files = memoryFiles({ now: () => 1_760_000_000_000, store: memoryStore() });
const epoch = await files.lead();
for (let from = 0; from < agents; from += 100)
  await files.commit(
    Array.from({ length: 100 }, (_, nth) => ({
      op: "write" as const,
      path: vibeyPath(`dialog-${idOf(from + nth)}-done.md`),
      data: dialogText(from + nth),
    })),
    { durability: "relaxed" },
  );
const logDeps = {
  files,
  epoch,
  commits: async () => null,
  alone: <T>(work: () => Promise<T>) => work(),
  later: (then: () => void) => void setTimeout(then),
  report: (error: unknown) => console.error(error),
};
await createLog({ ...logDeps, isKept: false }).open();
const log = await createLog({ ...logDeps, isKept: true }).open();
note(`${log.positions.length} events of ${agents} agents`);

async function firstPage(members: ReadonlySet<string> | null): Promise<number> {
  const reader = createEventReader({ files, live: () => null, commits: async () => null });
  const began = performance.now();
  let shown = 0;
  const left = new AbortController();
  for await (const _ of entriesIn(log, reader, backwards(log.positions, log.positions.length), {}, members, left.signal))
    if ((shown += 1) === 100) break;
  return performance.now() - began;
}
goal("milliseconds to the first page of the log", await firstPage(null), { atMost: 200 });

const reading = createStepReader();
const reader = createEventReader({ files, live: () => null, commits: async () => null });
/** Milliseconds of processor time, so that other work on the machine doesn't count. */
function used(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
const cpu = process.cpuUsage();
const { steps } = await reading.read(log, reader);
note(`${used(cpu).toFixed(0)} ms of the processor until all steps are read, once`);
let began = performance.now();
const run = stepsOf((await reading.read(log, reader)).steps, idOf(0));
goal("milliseconds to the steps of the run, once they are read", performance.now() - began, { atMost: 200 });
goal("milliseconds to the first page of the run's log, once they are read", await firstPage(membersOf(steps, idOf(0))), { atMost: 200 });
note(`${(JSON.stringify(run).length / run.length).toFixed(0)} characters a step`);

const timeline = new Timeline();
timeline.add(run);
began = performance.now();
const graph = timeline.at(run.length).graph(idOf(0));
note(`${(performance.now() - began).toFixed(0)} ms for the graph of all of it; ${graph.agents.length} agents, ${graph.files.length} files`);

const times = (count: number, work: (nth: number) => void): number[] =>
  Array.from({ length: count }, (_, nth) => {
    const start = process.cpuUsage();
    work(nth);
    return used(start);
  });
const agentsAlone = nodesOf(graph, false, new Set());
goal(
  `milliseconds of the processor for the layout of ${agentsAlone.length} agents`,
  median(times(15, () => void layoutOf(agentsAlone)).slice(3)),
  { atMost: 20 },
);
const step = (to: (nth: number) => number) => times(60, (nth) => void timeline.at(to(nth)).graph(idOf(0))).slice(5);
goal("milliseconds of the processor for a step of the scrubber", median(step((nth) => 60_000 + nth)), { atMost: 16 });
goal("milliseconds of the processor for a jump of the scrubber", median(step((nth) => (nth * 48_611) % run.length)), { atMost: 16 });

const layout = layoutOf(nodesOf(graph, true, new Set()));
/** A node has six elements: a group, a box, a mark and three texts. The rest is one path per kind of edge and per state, twice because of the map. */
let most = 0;
for (const scale of [2, 1, 0.7, 0.5, 0.25, 0.1, 0.05])
  for (let nth = 0; nth < 40; nth += 1) {
    const view = { x: 0, y: (layout.height * nth) / 40, width: 864 / scale, height: 600 / scale };
    const shown = visibleGraph({
      layout,
      view,
      stateOf: () => "running",
      edges: graph.edges,
      chosen: new Set([idOf(7)]),
      allTouched: true,
    });
    most = Math.max(most, shown.nodes.length * 6 + 3 + 2 * 9 + 3);
  }
goal("elements drawn", most, { atMost: 400 });
