import { expect, test } from "vitest";
import { historyMemory, memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import type { AgentVersions, DialogAnswer, DialogListing } from "../../../src/protocol/index.ts";
import { soon } from "../../soon.ts";
import { bench, say } from "../harness.ts";

test("the versions of an agent's file are listed with the hash that a dialog names, and one can be restored", async () => {
  const memory = historyMemory();
  const b = await bench([], { history: async () => memoryHistoryStore(memory), answer: say("Ok.") });
  const versions = async (of = "coder", query = "") =>
    (await (await b.ask("GET", `/agents/profile/${of}/versions${query}`)).json()) as AgentVersions;
  const count = (wanted: number) => soon(async () => expect((await versions()).versions.length).toBe(wanted));
  expect(await versions()).toEqual({ path: "vibey/agent-coder.md", now: null, versions: [], more: false });

  await b.ask("POST", "/agents", { slug: "coder", text: "You are Coder.\n" });
  await (await b.ask("POST", "/dialog", { provider: "claude", prompt: "Go", agent: "coder" })).text();
  await count(1);
  await b.ask("PUT", "/agents/profile/coder", { text: "---\ntools: []\n---\nYou are Coder.\n" });
  await count(2);
  await b.ask("DELETE", "/agents/profile/coder");
  await count(3);

  const all = await versions();
  expect(all.now).toBeNull();
  expect(all.versions.map(({ hash, by }) => [hash?.length ?? null, by.kind])).toEqual([
    [null, "human"],
    [64, "human"],
    [64, "human"],
  ]);
  const first = all.versions[2];
  const [listed] = (await (await b.ask("GET", "/dialogs")).json()) as DialogListing[];
  const { agent, markdown } = (await (await b.ask("GET", `/dialog/${listed?.dialogId ?? ""}`)).json()) as DialogAnswer;
  expect(agent?.hash).toBe(first?.hash);
  expect(markdown).toContain(`> Agent: coder ${first?.hash ?? ""}\n`);

  expect((await b.ask("POST", "/history/restore", { id: first?.commit, path: all.path })).status).toBe(200);
  expect(await b.text(all.path)).toBe("You are Coder.\n");
  expect((await versions()).now).toBe(first?.hash);
  expect((await versions("coder", `?before=${first?.commit ?? ""}`)).versions).toEqual([]);
  for (const bad of ["Coder", "a%2Fb", "..%2fdoc-main"]) expect((await b.ask("GET", `/agents/profile/${bad}/versions`)).status).toBe(404);
  expect((await b.ask("GET", "/agents/profile/coder/versions?before=x")).status).toBe(404);
});

test("a project without a history says so", async () => {
  const b = await bench();
  expect((await b.ask("GET", "/agents/profile/coder/versions")).status).toBe(404);
});
