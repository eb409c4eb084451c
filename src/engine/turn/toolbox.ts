import { isCovered } from "../../dialog/agent-paths.ts";
import { agentOf } from "../../dialog/agent.ts";
import type { Dialog, JsonObject } from "../../dialog/model.ts";
import { agentPath } from "../../protocol/write-rules.ts";
import type { CheckCall } from "./machine/model.ts";
import type { ToolDefinition } from "../providers/provider.ts";
import { checkLaunch, launchAgent } from "./tools/launch-agent.ts";
import { checkRunCommand, runCommandDefinition } from "./tools/run-command.ts";
import type { PlannedTool } from "./tools/tool.ts";
import { checkSignal, signalParent } from "./tools/signal-parent.ts";
import { checkSpawn, spawnAgent } from "./tools/spawn-agent.ts";
import { readTools, runFileTools, vfsRead } from "./tools/vfs.ts";

/** The tools: their definitions for the model, and whether a call can run. */
export interface Toolbox {
  /** The tools of this dialog's agent. */
  readonly definitions: (dialog: Dialog) => readonly ToolDefinition[];
  readonly check: CheckCall;
  /** A tool that only reads or changes files. Undefined for other tools. */
  readonly fileTool: (name: string) => PlannedTool | undefined;
}

export function createToolbox(writing: readonly PlannedTool[], providers: readonly string[]): Toolbox {
  const fileTools = [...writing, ...readTools, ...runFileTools];
  const tools: readonly Pick<PlannedTool, "definition" | "check">[] = [
    { definition: runCommandDefinition, check: checkRunCommand },
    ...fileTools,
    { definition: launchAgent, check: (input) => checkLaunch(input, providers) },
    { definition: spawnAgent, check: checkSpawn },
    { definition: signalParent, check: checkSignal },
  ];
  return {
    definitions: (dialog) => tools.map((tool) => tool.definition).filter(({ name }) => has(dialog, name)),
    check({ name, input }, dialog) {
      const keys = Object.keys(input);
      if (keys.length === 1 && keys[0] === "invalid") return "the input was no whole JSON object; nothing was run";
      const tool = tools.find(({ definition }) => definition.name === name);
      if (tool && !has(dialog, name) && agentOf(dialog)) return `This agent doesn't have the tool ${name}`;
      return tool && has(dialog, name) ? (outsidePaths(dialog, name, input) ?? tool.check(input)) : `Unknown tool: ${name}`;
    },
    fileTool: (name) => fileTools.find(({ definition }) => definition.name === name),
  };
}

/** Whether the dialog's agent has the tool. An agent without a file has the four tools that change things. */
const has = (dialog: Dialog, name: string): boolean => agentOf(dialog)?.tools.includes(name) ?? usual.has(name);
const usual: ReadonlySet<string> = new Set(["run_command", "write_file", "edit_file", "launch_agent"]);

/** Why a call is refused: the agent's file limits it to other files. Null if it isn't refused. */
function outsidePaths(dialog: Dialog, name: string, { path }: JsonObject): string | null {
  const agent = agentOf(dialog);
  if (agent === null || typeof path !== "string") return null;
  const isReading = name === vfsRead.definition.name;
  const within = isReading ? agent.reads : agent.writes;
  const named = agentPath(path);
  if (within === null || !named.ok || isCovered(named.path, within)) return null;
  const where = within.length === 0 ? "no file" : `${within.join(", ")} only`;
  return `path: this agent can ${isReading ? "read" : "write"} ${where}, as its file says`;
}
