import * as fc from "fast-check";
import { expect, test } from "vitest";
import { whyOf } from "../../../src/app/run-graph/why.ts";
import { Timeline } from "../../../src/protocol/graph/timeline.ts";
import type { DialogAnswer, DialogListing, GraphAnswer, RunLogAnswer, StepsAnswer } from "../../../src/protocol/index.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { soon } from "../../soon.ts";
import { type Bench, call, ended, type Reply, say, stopped } from "../harness.ts";
import { change, type Parts, run, spawn, start, team, usage } from "./team.ts";

const get = async <T>(b: Bench, path: string): Promise<T> => (await (await b.ask("GET", path)).json()) as T;

/** What an agent does in a response. */
const does = ["talk", "ask", "write", "read", "signal", "spawn a", "spawn b", "fail", "refuse", "cut", "long"] as const;
/** What the user does while the agents are idle. */
const acts = ["pause", "resume", "kill", "kill one", "approve", "deny", "say", "less", "more", "reload"] as const;

interface History {
  readonly freely: boolean;
  readonly parts: Readonly<Record<"orchestrator" | "a" | "b", readonly (typeof does)[number][]>>;
  readonly acts: readonly { readonly act: (typeof acts)[number]; readonly whose: number }[];
}

const some = fc.array(fc.constantFrom(...does), { maxLength: 4 });
const history: fc.Arbitrary<History> = fc.record({
  freely: fc.boolean(),
  parts: fc.record({ orchestrator: some, a: some, b: some }),
  acts: fc.array(fc.record({ act: fc.constantFrom(...acts), whose: fc.nat(3) }), { maxLength: 6 }),
});

/** An id is used for only one call in a dialog. */
function reply(what: (typeof does)[number], nth: number): Reply {
  const id = `c${nth}`;
  const byWord: Readonly<Record<(typeof does)[number], readonly ProviderEvent[]>> = {
    talk: [{ type: "text", text: "I think." }, ended],
    ask: [{ type: "text", text: "> Waiting: which one" }, ended],
    write: [call(id, "vfs_write", { path: `artifacts/${nth}.md`, content: "x" }), usage(40), ended],
    read: [call(id, "vfs_read", { path: "artifacts/0.md" }), ended],
    signal: [call(id, "signal_parent", { message: "So far." }), ended],
    "spawn a": [spawn(id, "a"), ended],
    "spawn b": [spawn(id, "b", `Task ${nth}.`), ended],
    fail: [stopped({ kind: "error", reason: "protocol", message: "overloaded" })],
    refuse: [stopped({ kind: "refusal" })],
    cut: [call(id, "vfs_write", { path: "artifacts/cut.md", content: "x" }), stopped({ kind: "interrupted", message: "gone" })],
    long: [{ type: "text", text: "On and on" }, stopped({ kind: "max_tokens" })],
  };
  return byWord[what];
}

/** The request is stored. In a paused run the end of the answer may never come. */
const asked = async (b: Bench, body: object): Promise<void> => (await b.ask("PUT", "/dialog", body)).body?.cancel();

async function decide(b: Bench, dialogId: string, word: "approve" | "deny"): Promise<void> {
  const { messages } = await get<DialogAnswer>(b, `/dialog/${dialogId}`);
  const pending = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "call" && part.call.state === "pending" ? [part.call.id] : [])),
  );
  if (pending.length > 0) await asked(b, { dialogId, decisions: pending.map((id) => `${id}: ${word}`).join("\n") });
}

async function act(b: Bench, { act: what, whose }: History["acts"][number]): Promise<Bench> {
  const { agents, tokens } = await run(b);
  const dialogId = agents[whose % agents.length]?.dialogId ?? "";
  if (what === "pause" || what === "resume") await change(b, { paused: what === "pause" });
  else if (what === "kill") await change(b, { status: "aborted" });
  else if (what === "kill one") await change(b, { dialogId, status: "aborted" });
  else if (what === "approve" || what === "deny") await decide(b, dialogId, what);
  else if (what === "say") await asked(b, { dialogId, prompt: "And now?" });
  else if (what === "reload") return b.reload();
  else await change(b, { limits: { tokens: what === "less" ? Math.max(1, tokens) : tokens + 1_000 } });
  return b;
}

/** Waits until nothing happens without the user. */
const quiet = (b: Bench) =>
  soon(async () => {
    const { agents, pausedBy } = await run(b);
    expect(agents.filter(({ state }) => state === "running" || (state === "queued" && pausedBy === null))).toEqual([]);
    return agents;
  });

/** Checks that an agent that doesn't work says why, in the graph and in the log. */
async function explained(b: Bench, runId: string, graph: GraphAnswer): Promise<void> {
  const listed = new Map((await get<DialogListing[]>(b, "/dialogs")).map((one) => [one.dialogId, one]));
  const { entries } = await get<RunLogAnswer>(b, `/agents/log?run=${runId}&limit=1000`);
  for (const agent of graph.agents) {
    const { dialogId, state } = agent;
    if (state === "completed" || (state === "idle" && agent.why === null)) continue;
    expect(whyOf(agent, listed.get(dialogId)), `${state} ${agent.why}`).not.toBeNull();
    const own = entries.filter((entry) => entry.dialogId === dialogId);
    if (state === "aborted") expect(own.map(({ type }) => type)).toContain("abort");
    if (state === "error") expect(own.some(({ type, data }) => type === "error" || data["message"] === "limit no progress")).toBe(true);
    if (state === "paused" && agent.why === null) expect(entries.map(({ data }) => data["code"])).toContain("paused");
    else if (state === "paused") expect(own.some(({ data }) => data["message"] === agent.why)).toBe(true);
  }
}

test("law: whatever agents and the user do, the scheduler and the graph say the same of each agent, and the graph and the log say why it stopped", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ freely, parts: said, acts: acting }) => {
      let nth = 0;
      const parts: Parts = Object.fromEntries(Object.entries(said).map(([slug, words]) => [slug, words.map((word) => reply(word, nth++))]));
      let b = await team({ ...parts, orchestrator: [...(parts["orchestrator"] ?? []), say("All of it is done.")] });
      const runId = await start(b, { freely, limits: { agents: 2, tokens: 400 } });
      for (const one of [null, ...acting]) {
        if (one !== null) b = await act(b, one);
        await quiet(b);
      }
      const graph = await soon(async () => {
        const { agents } = await run(b);
        const now = await get<GraphAnswer>(b, `/agents/graph?run=${runId}`);
        const ofScheduler = agents.map(({ dialogId, state, tokens }) => `${dialogId} ${state} ${tokens}`).toSorted();
        expect(now.agents.map(({ dialogId, state, tokens }) => `${dialogId} ${state} ${tokens ?? 0}`).toSorted()).toEqual(ofScheduler);
        return now;
      });
      await explained(b, runId, graph);
      const { steps } = await get<StepsAnswer>(b, `/agents/log/steps?run=${runId}`);
      const timeline = new Timeline(7);
      timeline.add(steps);
      const last = timeline.at(steps.length).graph(runId);
      const { logId: _log, cursor: _cursor, ...present } = graph;
      expect({ ...last, agents: last.agents.map((agent) => ({ ...agent, state: "" })) }).toEqual({
        ...present,
        agents: present.agents.map((agent) => ({ ...agent, state: "" })),
      });
      expect(b.reported).toEqual([]);
    }),
    { numRuns: Number(process.env["VIBEY_LAWS"] ?? 0) / 50 || 20 },
  );
});
