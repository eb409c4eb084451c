import { expect, test } from "vitest";
import { inheritedAgent } from "../../../src/engine/agents/inherited-agent.ts";
import { startedAgent } from "../../../src/engine/agents/started-agent.ts";
import { type DialogAgent, unbounded } from "../../../src/dialog/agent.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";

const hash = "a".repeat(64);
/** A dialog with these agent lines, in which the user wrote the lines `words`. */
const dialog = (lines: readonly string[], words = "", launched = "") =>
  parseDialog(
    `# Dialog\n> Format: 2\n> Provider: claude | Model: m\n${lines.map((line) => `> ${line}\n`).join("")}${launched}\n## User\n> Time: 2026-11-20T09:00:00.000Z\n${words}\nHello.\n`,
  );
const boss = (...lines: string[]) => [`Agent: boss ${hash}`, "Tools: launch_agent, run_command, write_file, vfs_read", ...lines];

const kid: DialogAgent = {
  slug: "kid",
  hash,
  tools: ["run_command", "write_file", "vfs_read"],
  asks: [],
  escalates: [],
  reads: null,
  writes: null,
  asksAgain: null,
  ceiling: null,
  agents: null,
  bounds: unbounded,
  hasMemory: false,
  text: "You are Kid.",
};
async function started(by: ReturnType<typeof dialog>, agent: string | null = "kid", file: Partial<DialogAgent> = {}) {
  const begun = await startedAgent({ provider: "claude", model: "m", prompt: "Go.", slug: "", agent }, by, {
    agents: {
      find: async () => ({ agent: { ...kid, ...file }, model: null }) as never,
      names: async () => ["kid"],
    },
    isProvider: () => true,
    defaultModel: () => "m",
  });
  return begun.ok ? begun.wanted : begun.refusal;
}

test("what an agent limited to files starts is limited to them, too, and runs no command, also where its file names it", async () => {
  for (const named of ["", "kid"]) {
    const lines = boss("Reads: docs/**", "Writes: src/**", ...(named === "" ? [] : [`Agents: ${named}`]));
    const agent = (file: Partial<DialogAgent>) => started(dialog(lines), "kid", file);
    expect(await agent({})).toMatchObject({ agent: { tools: ["write_file", "vfs_read"], reads: ["docs/**"], writes: ["src/**"] } });
    const within = { reads: ["docs/a/**", "vibey/**"], writes: ["src/x.ts", "**"] };
    expect(await agent(within)).toMatchObject({ agent: { reads: ["docs/a/**"], writes: ["src/x.ts"] } });
  }
  for (const only of ["Reads: docs/**", "Writes: src/**"])
    expect(await started(dialog(boss(only, "Agents: kid")))).toMatchObject({ agent: { tools: ["write_file", "vfs_read"] } });
  expect(await started(dialog(boss()))).toMatchObject({ agent: { tools: ["run_command", "write_file", "vfs_read"], reads: null } });
});

test("what asks each time asks in what the agent starts, too", async () => {
  const { agent } = (await started(dialog(boss("Asks: write_file", "Asks always: write_file")))) as { agent: DialogAgent };
  expect(agent.escalates).toEqual(["write_file"]);
  expect(await started(dialog(boss()), "kid", { escalates: ["run_command", "edit_file"] })).toMatchObject({
    agent: { escalates: ["run_command"] },
  });
});

test("what the user took back of an agent stays so in what it starts, by name and without one", async () => {
  const taken = dialog(boss(), "> Authorized: write_file\n> Revoked: run_command\n");
  const wanted = (await started(taken)) as { allowed: ReadonlySet<string>; takenBack: ReadonlySet<string> };
  expect([[...wanted.allowed], [...wanted.takenBack]]).toEqual([["write_file"], ["run_command"]]);
  expect(await started(dialog([], "> Revoked: run_command\n"), null)).toMatchObject({ takenBack: new Set(["run_command"]) });
});

test("what continues or forks an agent's dialog allows no more than it, and takes back as much; of the user's own it takes main's", () => {
  const words = "> Authorized: write_file\n> Revoked: run_command\n";
  const launched = "> Launched by: dialog 20261120-085900-game\n";
  const expected = { allowed: new Set(["write_file"]), takenBack: new Set(["run_command"]) };
  expect(inheritedAgent(dialog(boss(), words))).toMatchObject(expected);
  // An agent without a file, which another agent started or wrote to.
  for (const line of [launched, "> Prompt by: dialog 20261120-085900-game\n", "> Replies to: 20261120-085900-game | Message: 1\n"])
    expect([line, inheritedAgent(dialog([], words, line))]).toEqual([line, { agent: null, ...expected }]);
  expect(inheritedAgent(dialog([], words))).toEqual({ agent: null, takenBack: expected.takenBack });
  // If reading was not allowed, it needs approval.
  expect(inheritedAgent(dialog(boss(), words)).agent?.asks).toEqual(["vfs_read"]);
});
