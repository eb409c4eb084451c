import type { Json } from "../src/dialog/model.ts";
import { parseDialog } from "../src/dialog/parse.ts";
import { type ClaudeStandIn, say } from "../tests/stand-in/claude.ts";
import type { App } from "./app.ts";

/** A command's result, as the agent sees it. */
export interface Result {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode?: number;
}

/** One turn in which the agent runs these commands one after the other. Returns their results. */
export async function agentRuns(app: App, claude: ClaudeStandIn, dialogId: string, commands: readonly string[]): Promise<Result[]> {
  claude.play(
    ...commands.map((command, i) => ({ blocks: [{ call: "run_command", id: `toolu_${dialogId}_${i}`, input: { command } }] })),
    say("That is all."),
  );
  await app.ask("PUT", "dialog", { dialogId, prompt: "Please run them.", authorizations: ["run_command"] });
  const { markdown } = await app.json<{ markdown: string }>("GET", `dialog/${dialogId}`);
  const calls = parseDialog(markdown).sections.flatMap((section) =>
    section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])),
  );
  return calls.slice(-commands.length).map(({ result }) => asResult(result ?? null));
}

function asResult(result: Json): Result {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of a command's result.
  return result as unknown as Result;
}
