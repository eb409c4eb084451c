import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { afterEach, expect, test, vi } from "vitest";
import { RunBar } from "../../../src/app/agents/run/RunBar.tsx";
import { Schedules } from "../../../src/app/agents/Schedules.tsx";
import { AgentKeys } from "../../../src/app/settings/AgentKeys.tsx";
import type { EngineEvents } from "../../../src/app/model/api/events.ts";
import type { AgentView } from "../../../src/protocol/index.ts";

afterEach(() => vi.unstubAllGlobals());

interface Sent {
  readonly path: string;
  readonly method: string;
  readonly body: unknown;
}

/** An engine with answers by path. `changes` records the requests that change something. */
function engine(answers: Readonly<Record<string, (sent: Sent) => unknown>>) {
  const changes: Sent[] = [];
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    const path = address.replace(/^.*:\/\/[^/]*\//, "");
    const sent = { path, method: init?.method ?? "GET", body: typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : null };
    if (sent.method !== "GET") changes.push(sent);
    const answer = Object.entries(answers).find(([start]) => path.startsWith(start))?.[1](sent);
    return answer === undefined ? Response.json({ error: "There is no such thing" }, { status: 404 }) : Response.json(answer);
  });
  return changes;
}

function show(view: () => unknown) {
  const place = document.body.appendChild(document.createElement("div"));
  const end = render(view as () => Element, place);
  const find = <T extends Element>(selector: string): T => {
    const found = place.querySelector<T>(selector);
    if (found === null) throw new Error(`there is no ${selector}`);
    return found;
  };
  const type = (selector: string, text: string) => {
    const field = find<HTMLInputElement>(selector);
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  return {
    place,
    find,
    type,
    end() {
      end();
      place.remove();
    },
  };
}

const agent = (path: string, hash = "1111111111"): AgentView =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of an agent that the form reads.
  ({
    path,
    slug: path.replace(/^.*\/|\.md$/g, ""),
    place: "found",
    isSystem: false,
    isActive: true,
    hash,
    tools: null,
    problems: [],
    unused: [],
    mtime: 0,
  }) as unknown as AgentView;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no events are received.
const events = { lost: () => false, listeners: new Set() } as unknown as EngineEvents;

test("a task that was typed is for the agent that was shown, and a file that has changed doesn't run freely", async () => {
  const changes = engine({ "agents/runs": ({ method }) => (method === "GET" ? [] : { runId: "r" }), limits: () => ({ run: null }) });
  const [agents, setAgents] = createSignal([agent("agents/writer.md")]);
  const page = show(() => <RunBar events={events} agents={agents()} asked={0} download={() => undefined} />);
  const freely = () => page.find<HTMLInputElement>("label:nth-of-type(2) [name=run-freely]");
  page.type(".run-task", "Write it.");
  freely().click();
  expect(freely().checked).toBe(true);
  // By default the form would choose another agent's file.
  setAgents([agent("agents/orchestrator.md"), agent("agents/writer.md")]);
  expect([page.find<HTMLSelectElement>("select").value, freely().checked]).toEqual(["agents/writer.md", true]);
  setAgents([agent("agents/orchestrator.md"), agent("agents/writer.md", "2222222222")]);
  expect(freely().checked).toBe(false);
  expect(page.place.textContent).toContain("writer.md changed");
  page.find<HTMLButtonElement>("[type=submit]").click();
  await expect.poll(() => changes.length).toBe(1);
  expect(changes[0]?.body).toMatchObject({ agent: "agents/writer.md", hash: "2222222222", freely: false, input: "Write it." });
  page.end();
});

test("the run that shows stays while another begins elsewhere, and when the runs can't be read once; the newer one is a click away", async () => {
  const run = (runId: string) => ({
    runId,
    pausedBy: null,
    agents: [{ dialogId: runId, state: "running" }],
    running: 1,
    queued: 0,
    asking: 0,
    tokens: 0,
    limits: { agents: 3, depth: 5, fanout: 3, tokens: 1_000 },
  });
  let runs: unknown = [run("20261120-100000-one")];
  engine({ "agents/runs": () => runs, limits: () => ({ run: null }) });
  const listeners = new Set<(event: { type: "hello" }) => void>();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a listener needs of the engine's events.
  const heard = { lost: () => false, listeners } as unknown as EngineEvents;
  const page = show(() => <RunBar events={heard} agents={[agent("agents/writer.md")]} asked={0} download={() => undefined} />);
  const links = () => Array.from(page.place.querySelectorAll<HTMLAnchorElement>(".run-links a"), ({ hash }) => hash).join(" ");
  await expect.poll(links).toContain("100000-one");
  const tell = () => listeners.forEach((listener) => listener({ type: "hello" }));
  runs = undefined;
  tell();
  await expect.poll(() => page.place.textContent).toContain("There is no such thing");
  expect(links()).toContain("100000-one");
  runs = [run("20261120-110000-two"), run("20261120-100000-one")];
  tell();
  await expect.poll(() => page.place.textContent).toContain("A newer run has begun.");
  expect(links()).toContain("100000-one");
  Array.from(page.place.querySelectorAll("button"))
    .find(({ textContent }) => textContent === "Show it")
    ?.click();
  await expect.poll(links).toContain("110000-two");
  expect(page.place.textContent).not.toContain("A newer run has begun.");
  page.end();
});

test("a schedule is for the agent that is shown, also when the one that was chosen is gone", async () => {
  const answer = { schedules: [], etag: "1", anHour: 4 };
  const changes = engine({ "agents/schedules": () => answer });
  const [slugs, setSlugs] = createSignal(["one", "two"]);
  const page = show(() => <Schedules slugs={slugs()} asked={0} />);
  await expect.poll(() => page.find<HTMLButtonElement>("[type=submit]").disabled).toBe(false);
  const select = page.find<HTMLSelectElement>("select");
  select.value = "two";
  select.dispatchEvent(new Event("change", { bubbles: true }));
  setSlugs(["one"]);
  expect(select.value).toBe("one");
  page.find<HTMLButtonElement>("[type=submit]").click();
  await expect.poll(() => changes.length).toBe(1);
  expect(JSON.stringify(changes[0]?.body)).toContain("one every");
  page.end();
});

test("a key that was just made stays on the screen while another is revoked, and keys that can't be read say so", async () => {
  const old = { id: "old", name: "Old", made: "2026-01-01T00:00:00Z", used: null };
  const fresh = { id: "new", name: "New", made: "2026-01-01T00:00:00Z", used: null };
  const changes = engine({
    "outside/keys": ({ method }) => (method === "POST" ? { id: "new", key: "the-key", keys: [old, fresh] } : { keys: [old, fresh] }),
  });
  const page = show(() => <AgentKeys />);
  page.type("input", "New");
  page.find<HTMLButtonElement>("[type=submit]").click();
  page.find<HTMLButtonElement>("[type=submit]").click();
  await expect.poll(() => page.place.textContent).toContain("the-key");
  expect(changes).toHaveLength(1);
  page.find<HTMLButtonElement>("li button").click();
  await expect.poll(() => changes.length).toBe(2);
  expect(page.place.textContent).toContain("the-key");
  page.end();
  engine({});
  const unread = show(() => <AgentKeys />);
  await expect.poll(() => unread.place.textContent).toContain("Couldn't read the keys: There is no such thing");
  expect(unread.place.textContent).not.toContain("No keys yet");
  unread.end();
});
