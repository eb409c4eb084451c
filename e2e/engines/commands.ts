import { parseDialog } from "../../src/dialog/parse.ts";
import { type ClaudeStandIn, say } from "../../tests/stand-in/claude.ts";
import type { CommandResult } from "../steps.ts";
import type { Tab } from "./engine.ts";
import { ask, askJson } from "./hands.ts";
import { expect } from "./test.ts";

export async function useKey(tab: Tab, claude: ClaudeStandIn): Promise<void> {
  await askJson(tab, "PUT", "provider/claude", { apiKey: claude.key, baseURL: claude.url });
}

/** Makes a dialog whose commands have 100 seconds: a busy machine may take more than 30 to start an interpreter. Returns its id. */
export async function dialogForCommands(tab: Tab, slug: string): Promise<string> {
  const { dialogId } = await askJson<{ dialogId: string }>(tab, "POST", "dialog/new", { provider: "claude", slug });
  expect((await ask(tab, "PUT", "dialog", { dialogId, limits: { command: 100 } })).status).toBe(200);
  return dialogId;
}

let calls = 0;

/** Lets the agent of a dialog run commands in one turn. Returns their results in order. */
export async function runIn(
  tab: Tab,
  claude: ClaudeStandIn,
  dialogId: string,
  commands: readonly string[],
): Promise<readonly CommandResult[]> {
  claude.play(
    ...commands.map((command) => ({ blocks: [{ call: "run_command" as const, id: `toolu_${(calls += 1)}`, input: { command } }] })),
    say("That is all."),
  );
  const { status, text } = await ask(tab, "PUT", "dialog", { dialogId, prompt: "Please run them.", authorizations: ["run_command"] });
  expect(status, text).toBe(200);
  const { markdown } = await askJson<{ markdown: string }>(tab, "GET", `dialog/${dialogId}`);
  const results = parseDialog(markdown).sections.flatMap((section) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of a command's result.
    section.parts.flatMap((part) => (part.kind === "call" ? [part.call.result as unknown as CommandResult] : [])),
  );
  return results.slice(-commands.length);
}

/** Lets the agent of a new dialog run commands. */
export async function agentRuns(tab: Tab, claude: ClaudeStandIn, commands: readonly string[]): Promise<readonly CommandResult[]> {
  await useKey(tab, claude);
  return runIn(tab, claude, await dialogForCommands(tab, "runs"), commands);
}
