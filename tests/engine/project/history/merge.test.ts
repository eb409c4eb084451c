import { expect, test } from "vitest";
import { memoryStore } from "../../../../src/fs/memory.ts";
import { call, ended, outcome, say } from "../../harness.ts";
import { changesOf, project, type Project } from "./project.ts";

const welcome = [{ name: "doc-main.md", content: "> Authorized: run_command\n\n# A game\n" }];
const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join("");

test("a file that a command and the human change at once, in other lines, holds both, and the agent is told", async () => {
  const store = memoryStore();
  const p: Project = await project([[call("a", "run_command", { command: "sed -i" }), ended], say("Done.")], {
    welcome,
    store,
    run: async () => {
      const changes = await changesOf(store, { "a.txt": lines("1", "2", "3", "4", "agent") });
      await p.put("a.txt", lines("human", "2", "3", "4", "5"));
      return outcome("", changes);
    },
  });
  await p.put("a.txt", lines("1", "2", "3", "4", "5"));
  await p.frames(await p.ask("POST", "/dialog", { provider: "claude", prompt: "Go" }));
  expect((await p.texts())["a.txt"]).toBe(lines("human", "2", "3", "4", "agent"));
  expect((await p.dialog()).markdown).toContain("someone else also changed a.txt; both changes were merged");
  // Each has its own commit, and the agent's can be undone without the user's.
  expect(await p.lines("?path=a.txt")).toEqual(["agent: edited a.txt", "human: edited a.txt", "human: added a.txt"]);
  await p.turnBack("undo", (await p.newest("?path=a.txt")).id);
  expect((await p.texts())["a.txt"]).toBe(lines("human", "2", "3", "4", "5"));
  expect(p.reported).toEqual([]);
});
