import { expect } from "vitest";
import { agentOf } from "../../../src/dialog/agent.ts";
import { type ProviderEvent, type ProviderRequest } from "../../../src/engine/providers/provider.ts";
import { memoryKeys } from "../../../src/engine/vault/keys.ts";
import type { DialogListing, LogAnswer, RunView } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";
import { type Bench, bench, type BenchOptions, call, type Reply, say } from "../harness.ts";

/** The answers of each agent of a run, in order, by slug; after them "Done.". */
export type Parts = Readonly<Record<string, readonly Reply[]>>;

export const entry = "agents/orchestrator.md";

function scripted(parts: Parts): BenchOptions["answer"] {
  const left = new Map(Object.entries(parts).map(([slug, replies]) => [slug, [...replies]]));
  return (request: ProviderRequest, signal: AbortSignal) => {
    const reply = left.get(agentOf(request.dialog)?.slug ?? "")?.shift() ?? say("Done.");
    return typeof reply === "function" ? reply(request, signal) : reply;
  };
}

/** A project with an orchestrator's file, and agents that play their parts. */
export async function team(parts: Parts, more: BenchOptions & { readonly text?: string } = {}): Promise<Bench> {
  const keys = memoryKeys();
  keys.set("claude", "sk-1", "https://api.example");
  const answer = scripted(parts);
  const b = await bench([], { keys, ...(answer ? { answer } : {}), ...more });
  if ((await b.ask("GET", `/deed/${entry}`)).status === 404)
    await b.ask("PUT", `/deed/${entry}`, more.text ?? "---\nname: orchestrator\n---\nYou lead.");
  return b;
}

/** Starts a run without asking for permissions, unless `more` says otherwise. Returns its id. */
export async function start(b: Bench, more: object = {}): Promise<string> {
  const agents = (await (await b.ask("GET", "/agents")).json()) as { path: string; hash: string }[];
  const hash = agents.find(({ path }) => path === entry)?.hash;
  const answer = await b.ask("POST", "/agents/runs", { agent: entry, input: "Write it.", provider: "claude", freely: true, hash, ...more });
  expect(answer.status, await answer.clone().text()).toBe(201);
  return ((await answer.json()) as { runId: string }).runId;
}

export async function run(b: Bench): Promise<RunView> {
  const [only] = (await (await b.ask("GET", "/agents/runs")).json()) as RunView[];
  if (!only) throw new Error("there is no run");
  return only;
}

export async function change(b: Bench, body: object): Promise<RunView> {
  const { runId } = await run(b);
  const answer = await b.ask("PUT", "/agents/runs", { runId, ...body });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as RunView;
}

export const until = (b: Bench, state: RunView["state"]) => soon(async () => expect((await run(b)).state).toBe(state));
/** `researcher.md running`, oldest first. */
export const states = async (b: Bench) => (await run(b)).agents.map(({ file, state }) => `${file.slice("agents/".length)} ${state}`);

/** The Markdown of an agent's only dialog. */
export async function textOf(b: Bench, slug: string): Promise<string> {
  const all = (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
  return b.text(`vibey/${all.find(({ dialogId }) => dialogId.endsWith(`-${slug}`))?.filename ?? ""}`);
}

/** The codes of the warnings in the log, sorted. */
export async function warnings(b: Bench): Promise<string[]> {
  const { events } = (await (await b.ask("GET", "/log?limit=1000&type=warning")).json()) as LogAnswer;
  return events.flatMap((event) => (event.type === "warning" && event.data.code !== null ? [event.data.code] : [])).toSorted();
}

export const spawn = (id: string, name: string, task = `Be ${name}.`, content = `You are ${name}.`): ProviderEvent =>
  call(id, "spawn_agent", { filename: `${name}.md`, content, task });
export const usage = (tokens: number): ProviderEvent => ({ type: "usage", usage: { input: tokens, output: 0 } });
