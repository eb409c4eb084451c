/** The project's log with 10,000 dialogs and 100,000 events: building its index, its first page, adding an event, and the size of the index. */
import { eventsOf, generationOf } from "../src/dialog/events/events-of.ts";
import { parseDialog } from "../src/dialog/parse.ts";
import { createEventReader } from "../src/engine/log/event-reader.ts";
import { createLog } from "../src/engine/log/log.ts";
import { keyOf } from "../src/engine/log/new-events.ts";
import { backwards, filtered } from "../src/engine/log/query.ts";
import { memoryFiles, memoryStore } from "../src/fs/memory.ts";
import { vibeyPath } from "../src/fs/vibey-name.ts";
import { median } from "./ratio.ts";
import { goal, note } from "./report.ts";

const dialogs = 10_000;
const files = memoryFiles({ now: () => 1_760_000_000_000, store: memoryStore() });
const epoch = await files.lead();
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
const idOf = (nth: number) => `${at(nth).slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-")}-worker-${nth}`;

/** A task, a command and its answer, repeated: ten events. */
function dialogText(nth: number): string {
  const call = '---\nTool request: run_command [toolu_1]\n\n    {"command": "ls"}\n\nDecision: approved';
  return [
    `# Dialog\n> Format: 1\n> Provider: claude | Model: m\n> Started: ${at(nth)}`,
    `## User\n> Time: ${at(nth)}\n\nDo task ${nth}.`,
    `## Assistant\n> Time: ${at(nth)} - ${at(nth + 3)}\n\nI look first.\n\n${call}`,
    `Started: ${at(nth + 4)}\nResult:\n\n    {"success": true, "stdout": "a\\n", "ms": 12}\n\n---\n\n> Usage: input=10 output=5 total=15`,
    `## Assistant\n> Time: ${at(nth + 5)} - ${at(nth + 8)}\n\nDone with ${nth}.\n`,
  ]
    .join("\n\n")
    .replace("approved\n\nStarted", "approved\nStarted");
}

for (let from = 0; from < dialogs; from += 500) {
  const changes = Array.from({ length: 500 }, (_, nth) => from + nth).map((nth) => ({
    op: "write" as const,
    path: vibeyPath(`dialog-${idOf(nth)}-done.md`),
    data: dialogText(nth),
  }));
  await files.commit(changes, { durability: "relaxed" });
}
const logDeps = {
  files,
  epoch,
  commits: async () => null,
  alone: <T>(work: () => Promise<T>) => work(),
  later: (then: () => void) => void setTimeout(then),
  report: (error: unknown) => console.error(error),
};

let started = performance.now();
/** Milliseconds of processor time, so that other work on the machine doesn't count. */
const cpu = process.cpuUsage();
const first = createLog({ ...logDeps, isKept: false });
const count = (await first.open()).positions.length;
const { user, system } = process.cpuUsage(cpu);
note(`${(performance.now() - started).toFixed(0)} ms by the clock`);
goal(`milliseconds of the processor to build an index of ${count} events in ${dialogs} dialogs`, (user + system) / 1_000, {
  atMost: 5_000,
});

const { entries } = await files.readIndex();
const rebuiltBytes = entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
note(`${(rebuiltBytes / count).toFixed(1)} bytes per event in an index that was built again`);
// Measures the log as it is stored: an agent's turn arrives in commits of a few events.
let [keptBytes, keptEvents] = [0, 0];
for (const nth of [1, 5_000, 9_999]) {
  const dialog = parseDialog(dialogText(nth));
  const keys = eventsOf(dialog, idOf(nth)).map(keyOf);
  for (const some of [keys.slice(0, 3), keys.slice(3, 6), keys.slice(6, 7), keys.slice(7, 8), keys.slice(8)]) {
    keptBytes += first.entry([{ dialogId: idOf(nth), generation: generationOf(dialog), keys: some }])?.length ?? 0;
    keptEvents += some.length;
  }
}
goal("bytes per event in an index as it is kept", keptBytes / keptEvents, { atMost: 40 });

started = performance.now();
const again = createLog({ ...logDeps, isKept: true });
const log = await again.open();
note(`${(performance.now() - started).toFixed(0)} ms to read the index`);
const reader = createEventReader({ files, live: () => null, commits: async () => null });
started = performance.now();
let shown = 0;
for await (const _ of filtered(log, reader, backwards(log.positions, log.positions.length), {}, new AbortController().signal))
  if ((shown += 1) === 100) break;
goal("milliseconds to the first page of the log", performance.now() - started, { atMost: 200 });

/** Milliseconds to add a thousand events. */
async function append(writer: typeof again, round: number): Promise<number> {
  const began = performance.now();
  for (let nth = 0; nth < 1_000; nth += 1) {
    const news = [{ dialogId: idOf(20_000 + round), generation: 0, keys: [`${nth}.request`] }];
    writer.entry(news);
    writer.written(1e6 + round * 1_000 + nth, news);
  }
  return performance.now() - began;
}
const small = createLog({ ...logDeps, files: memoryFiles({ now: () => 0, store: memoryStore() }), isKept: true });
await small.open();
const ratios: number[] = [];
for (let round = 0; round < 15; round += 1) ratios.push((await append(again, round)) / (await append(small, round)));
goal("an event more after 100,000 against after none", median(ratios.slice(3)), { atMost: 3 });
