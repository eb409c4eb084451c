// The agents' page while files change: typing and open parts stay.
import { render } from "solid-js/web";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import AgentsPage from "../../../src/app/agents/AgentsPage.tsx";
import type { Heard } from "../../../src/app/model/api/events.ts";
import { createRoute } from "../../../src/app/model/route.ts";
import type { AgentView, BuiltInAgent } from "../../../src/protocol/index.ts";
import { live } from "../../live-event.ts";
import { aRun } from "./a-run.ts";

const coder: AgentView = {
  path: "vibey/agent-coder.md",
  slug: "coder",
  place: "yours",
  isSystem: false,
  displayName: "Coder",
  description: "Writes code",
  capabilities: [],
  model: null,
  isActive: true,
  tools: null,
  problems: [],
  unused: [],
  hash: "1",
  mtime: 0,
  avatarUrl: null,
  maxTokens: null,
  revoked: [],
  escalated: [],
  asksAgain: null,
  reads: null,
  writes: null,
  agents: null,
  maxTurns: null,
  timeout: null,
  memory: false,
  context: null,
};
const summarizer: BuiltInAgent = {
  slug: "_summary",
  displayName: "Summarizer",
  description: "Sums up",
  text: "You sum up.",
  body: "You sum up.",
  isReplaced: false,
  maxTokens: 1_000,
};

/** Paths whose requests fail now. */
let failing: RegExp | null = null;
/** The number of times the agents were read. */
let reads = 0;
let dispose = () => {};
const listeners = new Set<(event: Heard) => void>();

beforeEach(() => {
  failing = null;
  reads = 0;
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path === "agents") reads++;
    if (failing?.test(path)) return Response.json({ error: "It broke." }, { status: 500 });
    if (path === "agents" && init?.method === "POST") return Response.json({ path: "vibey/agent-critic.md" });
    if (path === "agents") return Response.json([{ ...coder }]);
    if (path === "agents/built-in") return Response.json([{ ...summarizer }]);
    if (path === "agents/schedules") return Response.json({ etag: "1", schedules: [] });
    return path.startsWith("agents") ? Response.json([]) : Response.json({ error: "Not here." }, { status: 404 });
  });
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  listeners.clear();
  location.hash = "";
});

function open(): void {
  dispose = render(() => {
    const router = createRoute({ tab: "agents" });
    return <AgentsPage router={router} events={{ lost: () => false, listeners }} download={() => {}} />;
  }, document.body);
}
const form = () => document.querySelector<HTMLFormElement>("form.agent-new");
const button = (text: string) => Array.from(document.querySelectorAll("button")).find((one) => one.textContent === text);
function field(selector: string): HTMLInputElement {
  const found = form()?.querySelector<HTMLInputElement>(selector);
  if (!found) throw new Error(`no field ${selector}`);
  return found;
}
function type(selector: string, text: string): void {
  field(selector).value = text;
  field(selector).dispatchEvent(new Event(selector === "select" ? "change" : "input", { bubbles: true }));
}
const typed = () => (form() === null ? null : ["input", "textarea", "select"].map((selector) => field(selector).value));

test("what is typed of a new agent stays until it is created or canceled", async () => {
  open();
  button("New agent")?.click();
  expect(document.activeElement).toBe(field("input"));
  type("input", "Critic");
  type("textarea", "Says what is wrong");
  type("select", "work");
  button("New agent")?.click();
  expect(form()).toBeNull();
  button("New agent")?.click();
  expect(typed()).toEqual(["Critic", "Says what is wrong", "work"]);

  // The user followed a link and opened the page again.
  dispose();
  open();
  expect(typed()).toEqual(["Critic", "Says what is wrong", "work"]);
  expect(form()?.textContent).toContain("@critic");
  button("Create")?.click();
  await expect.poll(form).toBeNull();

  button("New agent")?.click();
  expect(typed()).toEqual(["", "", "read"]);
  type("input", "Another");
  button("Cancel")?.click();
  expect(form()).toBeNull();
  button("New agent")?.click();
  expect(typed()).toEqual(["", "", "read"]);
  button("Cancel")?.click();
});

test("a reading that fails, and one that finds the same, take nothing from the page", async () => {
  open();
  const details = await vi.waitUntil(() => document.querySelector<HTMLDetailsElement>("section[aria-label='Built in'] details"));
  details.open = true;
  const copy = button("Edit a copy");
  copy?.focus();
  const row = document.querySelector("[aria-label='Your agents'] li");
  const rows = document.querySelectorAll("li").length;
  for (const broken of [null, /^agents(?:\/built-in)?$/, null]) {
    failing = broken;
    const before = reads;
    for (const listener of listeners) listener(live({ type: "file", data: { name: "agent-coder.md", change: "changed" } }));
    await expect.poll(() => reads).toBeGreaterThan(before);
    await expect.poll(() => document.body.textContent.includes("It broke.")).toBe(broken !== null);
    expect(document.querySelectorAll("li").length).toBe(rows);
    expect(document.querySelector("[aria-label='Your agents'] li")).toBe(row);
    expect(details.isConnected && details.open).toBe(true);
    expect(document.activeElement).toBe(copy);
  }
});

test("the run of the demo comes together with the form, so that its buttons don't move", async () => {
  const { runId: dialogId, file: path } = aRun;
  let isWritten = false;
  let isStarted = false;
  let readings = 0;
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (init?.method === "PUT" && address === `deed/${path}`) {
      isWritten = true;
      return Response.json({ ok: true });
    }
    if (init?.method === "POST" && address === "agents/runs") {
      isStarted = true;
      return Response.json({ runId: dialogId, dialogId, filename: "dialog.md" });
    }
    if (address === "agents/runs") {
      if (isStarted) readings++;
      return Response.json(isStarted ? [aRun] : []);
    }
    if (address === "agents") return Response.json(isWritten ? [{ ...coder, path, slug: "orchestrator", place: "found" }] : []);
    if (address === "agents/schedules") return Response.json({ etag: "1", schedules: [] });
    return address.startsWith("agents") ? Response.json([]) : Response.json({ error: "Not here." }, { status: 404 });
  });
  open();
  (await vi.waitUntil(() => button("Play a demo run"))).click();
  await expect.poll(() => readings).toBe(1);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(button("Play a demo run")).toBeUndefined();
  expect([button("Pause"), document.querySelector(".run-bar form")]).toEqual([undefined, null]);
  for (const listener of listeners) listener(live({ type: "deed", data: { path, change: "changed" } }));
  await expect.poll(() => button("Pause")).toBeDefined();
  expect(document.querySelector(".run-bar form")).not.toBeNull();
});
