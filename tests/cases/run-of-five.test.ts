import { expect } from "vitest";
import { parseDialog } from "../../src/dialog/parse.ts";
import { teamStep } from "../../src/engine/providers/demo/team.ts";
import type { DialogListing, GraphAnswer, RunView } from "../../src/protocol/index.ts";
import type { Recorded } from "../stand-in/serve.ts";
import type { WireReply } from "../stand-in/wire.ts";
import { soon } from "../soon.ts";
import { type Case, startCase } from "./engine.ts";
import { onWires } from "./on-wires.ts";

const entry = "---\nname: orchestrator\n---\nYou lead.\n";

/** Plays the demo's run of five on the server. An agent's first message tells which agent is asking. */
async function play(one: Case, request: Recorded): Promise<WireReply> {
  const [first] = one.wire.sent(request).flatMap((part) => ("user" in part ? [part.user] : []));
  const all = (await (await one.ask("GET", "/dialogs")).json()) as DialogListing[];
  for (const { filename, status } of all) {
    if (status !== "active") continue;
    const dialog = parseDialog(await one.text(`vibey/${filename}`));
    const text = dialog.sections[0]?.parts.find(({ kind }) => kind === "text");
    if (text?.kind !== "text" || first?.includes(text.text) !== true) continue;
    const step = teamStep(dialog, JSON.stringify(request.body));
    if (step) return { blocks: [{ text: step.text }, ...step.calls.map(({ id, name, input }) => ({ call: name, id, input }))] };
  }
  throw new Error(`no part for ${first}`);
}

onWires("a run of five: agents start agents, write, read and signal, and what is sent is in order", async (name) => {
  const one: Case = await startCase(name);
  one.wire.play(...Array.from({ length: 60 }, () => (request: Recorded) => play(one, request)));
  await one.ask("PUT", "/deed/agents/orchestrator.md", entry);
  const [agent] = (await (await one.ask("GET", "/agents")).json()) as { path: string; hash: string }[];
  const body = {
    agent: agent?.path,
    hash: agent?.hash,
    freely: true,
    input: "Make a page about tides.",
    provider: one.wire.provider,
    model: one.wire.model,
  };
  const started = await one.ask("POST", "/agents/runs", body);
  expect(started.status, await started.clone().text()).toBe(201);
  const { runId } = (await started.json()) as { runId: string };
  const run = await soon(async () => {
    const [now] = (await (await one.ask("GET", "/agents/runs")).json()) as RunView[];
    expect(now?.agents.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "completed"));
    return now;
  });
  // According to the server, each response has 15 tokens.
  expect(run?.tokens).toBe(15 * one.wire.requests.length);
  const graph = (await (await one.ask("GET", `/agents/graph?run=${runId}`)).json()) as GraphAnswer;
  expect(graph.agents.map(({ depth }) => depth).toSorted((low, high) => low - high)).toEqual([0, 1, 1, 1, 2]);
  expect(await one.text("artifacts/tides.html")).toContain("<caption>");
  expect(one.wire.requests.length).toBeGreaterThan(12);
});
