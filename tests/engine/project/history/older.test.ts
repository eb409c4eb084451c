import { expect, test } from "vitest";
import { limits } from "../../../../src/protocol/limits.ts";
import { memoryStore } from "../../../../src/fs/memory.ts";
import { call, ended, outcome, type Reply, say } from "../../harness.ts";
import { changesOf, project, type Project } from "./project.ts";

const welcome = [{ name: "doc-main.md", content: "> Authorized: write_file\n> Authorized: run_command\n\n# A game\n" }];
const writes = (id: string, content: string): Reply[] => [[call(id, "write_file", { path: "a.txt", content }), ended], say("Done.")];

/** A clock that continues across reloads. */
function clock(): () => Date {
  let time = Date.UTC(2026, 10, 21, 20, 11, 0);
  return () => new Date((time += 1000));
}

/** An agent that has written a.txt. After a reload the engine continues with the next replies. */
async function begun(): Promise<{ p: Project; id: string }> {
  const p = await project(writes("first", "agent\n"), { welcome, now: clock() });
  await (await p.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Go" })).text();
  return { p, id: (await p.dialog()).id };
}

async function goesOn(p: Project, dialogId: string): Promise<string> {
  await (await p.ask("PUT", "/dialog", { dialogId, prompt: "Again" })).text();
  return (await p.dialog()).markdown;
}

test.each([
  ["is in the history", async (p: Project) => void (await p.history())],
  ["was not committed yet", async () => undefined],
])("what the human changed before a reload, after the agent saw it, and %s, the agent does not replace unread", async (_, wait) => {
  const { p, id } = await begun();
  await p.history();
  await p.put("a.txt", "human\n");
  await wait(p);
  const q = await p.again([[call("second", "write_file", { path: "a.txt", content: "agent again\n" }), ended], say("I see.")]);
  const markdown = await goesOn(q, id);
  expect(markdown).toContain("a.txt was changed by the user since you last saw it; nothing was written.");
  expect(markdown).toContain("-agent\\n+human");
  expect((await q.texts())["a.txt"]).toBe("human\n");
  expect(q.reported).toEqual([]);
});

test("what was changed before the agent saw it is no news, however late it was committed", async () => {
  const store = memoryStore();
  const p = await project([[call("c", "run_command", { command: "cat a.txt" }), ended], say("Done.")], {
    welcome,
    store,
    now: clock(),
    run: async () => outcome("human\n", []),
  });
  await p.history();
  await p.put("a.txt", "human\n");
  await (await p.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Go" })).text();
  const { id } = await p.dialog();
  const q = await p.again(writes("second", "agent\n"));
  expect(await goesOn(q, id)).not.toContain("since you last saw it");
  expect((await q.texts())["a.txt"]).toBe("agent\n");
});

test("its own earlier writes are no news to an agent", async () => {
  const { p, id } = await begun();
  await p.history();
  const q = await p.again(writes("second", "agent again\n"));
  expect(await goesOn(q, id)).not.toContain("since you last saw it");
  expect((await q.texts())["a.txt"]).toBe("agent again\n");
});

test.each([
  ["is not committed yet", false],
  ["is committed", true],
])("two changes of a text too long for memory are merged from the history, where the human's %s", async (_, committed) => {
  const line = `${"x".repeat(100)}\n`;
  const long = (first: string, last: string) => `${first}\n${line.repeat(limits.pastTextBytes / 100)}${last}\n`;
  const store = memoryStore();
  const p: Project = await project([[call("c", "run_command", { command: "sed -i" }), ended], say("Done.")], {
    welcome,
    store,
    run: async () => {
      const changes = await changesOf(store, { "a.txt": long("1", "agent") });
      await p.put("a.txt", long("human", "9"));
      if (committed) await p.history();
      return outcome("", changes);
    },
  });
  await p.put("a.txt", long("1", "9"));
  await p.history();
  await (await p.ask("POST", "/dialog", { provider: "claude", slug: "game", prompt: "Go" })).text();
  expect((await p.texts())["a.txt"]).toBe(long("human", "agent"));
  expect(Object.keys(await p.texts()).filter((name) => name.includes("conflict"))).toEqual([]);
  expect(p.reported).toEqual([]);
});
