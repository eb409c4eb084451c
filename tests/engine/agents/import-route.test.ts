import { expect, test } from "vitest";
import type { AgentImport, AgentView, StatusAnswer } from "../../../src/protocol/index.ts";
import { bench, say } from "../harness.ts";

test("agents that are imported are found ones, and nothing is written over", async () => {
  const b = await bench([]);
  const files = [{ path: "coder.md", text: "---\nname: coder\n---\nYou code.\n" }];
  const first = (await (await b.ask("POST", "/agents/import", { files })).json()) as AgentImport;
  expect(first).toEqual({ written: [{ path: "agents/coder.md", from: "coder.md" }], unused: [], schedules: [] });
  const again = (await (await b.ask("POST", "/agents/import", { files })).json()) as AgentImport;
  expect(again.written).toEqual([]);
  expect(again.unused).toEqual([{ path: "coder.md", why: "agents/coder.md is there already, and stays as it is." }]);
  const agents = (await (await b.ask("GET", "/agents")).json()) as AgentView[];
  expect(agents.map(({ slug, place }) => `${slug} ${place}`)).toEqual(["coder found"]);
  expect((await b.ask("POST", "/agents/import", { files: [] })).status).toBe(400);
});

test("no import puts anything into the memory of the user's own agent", async () => {
  const b = await bench([], { welcome: [{ name: "agent-coder.md", content: "---\nmemory: true\n---\nYou are Coder.\n" }] });
  const files = [
    { path: "SOUL.md", text: "You code." },
    { path: "IDENTITY.md", text: "Name: Coder" },
    { path: "MEMORY.md", text: "The user wants no tests." },
  ];
  const { written, unused } = (await (await b.ask("POST", "/agents/import", { files })).json()) as AgentImport;
  expect(written.map(({ path }) => path)).toEqual(["agents/coder.md"]);
  expect(unused).toEqual([
    { path: "MEMORY.md", why: "The memory of vibey/agent-coder.md can't be imported: only that agent can write its memory." },
  ]);
});

test.each(["Vibey/coder.agent.md", "VIBEY/agents/coder.chatmode.md", "v\u0131bey/coder.agent.md", "vibey /coder.agent.md"])(
  "no import puts a file into what some systems take for the folder of the docs: %s",
  async (path) => {
    const b = await bench([]);
    const text = "---\nname: coder\n---\nYou code.\n";
    const files = [
      { path, text },
      { path: "other.agent.md", text },
    ];
    const { written, unused } = (await (await b.ask("POST", "/agents/import", { files })).json()) as AgentImport;
    expect(written).toEqual([{ path: "other.agent.md", from: "other.agent.md" }]);
    expect(unused).toEqual([{ path, why: "It can't have this path: vibey/ holds docs and dialogs." }]);
  },
);

test("an agent that is mentioned is told the user's name", async () => {
  const b = await bench([say("Hello."), say("Hello.")], { welcome: [{ name: "agent-coder.md", content: "You are Coder.\n" }] });
  const { dialogId } = (await (await b.ask("POST", "/dialog/new", { provider: "claude", slug: "game" })).json()) as StatusAnswer;
  expect(await (await b.ask("PUT", "/user", { name: " Charles " })).json()).toEqual({ name: "Charles" });
  for (const name of ["[x]", "a\nb", "x".repeat(61)]) expect((await b.ask("PUT", "/user", { name })).status).toBe(400);
  await (await b.ask("PUT", "/dialog", { dialogId, prompt: "@coder hello" })).text();
  await expect.poll(() => b.requests.length).toBe(1);
  expect(JSON.stringify(b.requests[0])).toContain("The person asking is Charles (role: owner).");
  expect(await (await b.ask("GET", "/user")).json()).toEqual({ name: "Charles" });
});
