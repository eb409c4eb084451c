import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseCost } from "../../../src/engine/cost/lines.ts";
import { addNanos } from "../../../src/engine/cost/money.ts";
import { historyMemory, memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import type { CostFrame, DialogListing, HistoryAnswer, LogAnswer, LogEvent } from "../../../src/protocol/index.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { type Bench, bench, call, ended } from "../harness.ts";
import { runGraphAgrees } from "./run-graph-agrees.ts";

/** One answer of an agent, and whether the user approves each of its calls. */
interface Move {
  readonly text: boolean;
  readonly calls: readonly { readonly tool: "run_command" | "write_file" | "launch_agent"; readonly approved: boolean }[];
  readonly usage: readonly [input: number, output: number] | null;
}

const move: fc.Arbitrary<Move> = fc.record({
  text: fc.boolean(),
  calls: fc.array(fc.record({ tool: fc.constantFrom("run_command", "write_file", "launch_agent"), approved: fc.boolean() }), {
    maxLength: 3,
  }),
  usage: fc.option(fc.tuple(fc.nat(5_000), fc.nat(900)), { nil: null }),
});

/** What a list, a graph and the cost page show about one dialog. */
interface Projection {
  readonly launchedBy: string | null;
  readonly children: readonly string[];
  readonly tokens: number | null;
  readonly cost: number | null;
  /** Calls that wait for approval. */
  readonly asks: number;
}

/** The same, folded only from the events of the log. */
function fold(events: readonly LogEvent[], dialogId: string): Projection {
  let launchedBy: string | null = null;
  let tokens: number | null = null;
  let cost: number | null = null;
  const children: string[] = [];
  const open = new Set<string>();
  for (const { type, data } of events.filter((event) => event.dialogId === dialogId)) {
    if (type === "activation") launchedBy = data.by;
    else if (type === "spawn") children.push(data.child);
    else if (type === "tool_call") open.add(data.call);
    else if (type === "approval") open.delete(data.call);
    else if (type === "usage") {
      if (data.tokens !== null) tokens = (tokens ?? 0) + data.tokens;
      const paid = data.cost === null ? null : parseCost(data.cost);
      if (paid) cost = addNanos(cost ?? 0, paid.nanos);
    }
  }
  return { launchedBy, children: children.toSorted(), tokens, cost, asks: open.size };
}

const get = async <T>(b: Bench, path: string): Promise<T> => (await (await b.ask("GET", path)).json()) as T;

async function quiet(b: Bench): Promise<readonly DialogListing[]> {
  await expect
    .poll(async () =>
      (await get<DialogListing[]>(b, "/dialogs")).filter(({ status, activity }) => status === "active" || activity !== null),
    )
    .toEqual([]);
  return get<DialogListing[]>(b, "/dialogs?facts=all");
}

async function costPage(b: Bench): Promise<ReadonlyMap<string, number>> {
  const text = await (await b.ask("GET", "/cost")).text();
  const frames = text.split("\n\n").filter(Boolean);
  const last = JSON.parse(frames.at(-1)?.slice("data: ".length) ?? "") as CostFrame;
  return new Map(last.type === "report" ? last.dialogs.map(({ dialogId, nanos }) => [dialogId, nanos]) : []);
}

async function check(b: Bench): Promise<void> {
  const dialogs = await quiet(b);
  const history = await get<HistoryAnswer>(b, "/history");
  const { events } = await get<LogAnswer>(b, "/log?limit=1000");
  const oldestFirst = events.toReversed();
  const paid = await costPage(b);
  for (const { dialogId, launchedBy, tokens, cost, asks } of dialogs) {
    const children = dialogs.filter((other) => other.launchedBy === dialogId).map((other) => other.dialogId);
    const listed: Projection = {
      launchedBy: launchedBy ?? null,
      children: children.toSorted(),
      tokens: tokens ?? null,
      cost: cost ?? null,
      asks: asks?.count ?? 0,
    };
    expect(fold(oldestFirst, dialogId)).toEqual(listed);
    expect(paid.get(dialogId) ?? 0).toBe(cost ?? 0);
  }
  await runGraphAgrees(b, dialogs);
  const commits = events.flatMap((event) => (event.type === "commit" ? [event] : []));
  expect(commits.map(({ data, actor }) => [data.commit, data.summary, data.files, actor])).toEqual(
    history.commits.map(({ id, summary, filesChanged, by }) => [id, summary, filesChanged, by]),
  );
  // Every file that a tool wrote is in a commit of its agent.
  const written = new Set(oldestFirst.flatMap((event) => (event.type === "file_change" ? [`${event.dialogId} ${event.data.path}`] : [])));
  const committed = new Set(commits.flatMap(({ dialogId, data }) => data.changes.map(({ path }) => `${dialogId} ${path}`)));
  expect([...written].filter((one) => !committed.has(one))).toEqual([]);
}

test("after any history the list, the cost page, the graph of launches and the history say what a fold over the events says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 8 }), async (moves) => {
      const memory = historyMemory();
      const left = [...moves];
      const verdicts = new Map<string, boolean>();
      let made = 0;
      const b = await bench([], {
        history: async () => memoryHistoryStore(memory),
        answer: () => {
          const { text = true, calls = [], usage = null } = left.shift() ?? {};
          const events: ProviderEvent[] = text || calls.length === 0 ? [{ type: "text", text: "I work." }] : [];
          for (const { tool, approved } of calls) {
            const id = `c${(made += 1)}`;
            verdicts.set(id, approved);
            if (tool === "run_command") events.push(call(id, tool, { command: "ls" }));
            else if (tool === "write_file") events.push(call(id, tool, { path: `f${made}.txt`, content: `${made}` }));
            else events.push(call(id, tool, { provider: "claude", model: "model-1", prompt: "Help.", slug: `kid-${made}` }));
          }
          if (usage) events.push({ type: "usage", usage: { input: usage[0], output: usage[1] } });
          return [...events, ended];
        },
      });
      const price = { origin: "https://api.example", model: "model-1", input: 3, output: 15 };
      expect((await b.ask("PUT", "/prices", { prices: [price] })).ok).toBe(true);
      await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go", slug: "lead" })).text();
      for (let round = 0; round < 12; round += 1) {
        await check(b);
        const asking = (await quiet(b)).find(({ waitingFor }) => waitingFor === "leave");
        if (asking === undefined) break;
        const { calls } = await get<{ calls: { id: string }[] }>(b, `/dialog/${asking.dialogId}/asks`);
        const decisions = calls.map(({ id }) => ({ id, approved: verdicts.get(id) === true }));
        await (await b.ask("PUT", "/dialog", { dialogId: asking.dialogId, decisions })).text();
      }
      await check(await b.reload());
      expect(b.reported).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 60_000);
