import type { CheckCall } from "./machine/model.ts";
import type { ToolDefinition } from "../providers/provider.ts";
import { checkLaunch, launchAgent } from "./tools/launch-agent.ts";
import { checkRunCommand, runCommandDefinition } from "./tools/run-command.ts";
import type { PlannedTool } from "./tools/tool.ts";

/** The four tools: what the model is told of them, and whether a call can run. */
export interface Toolbox {
  readonly definitions: readonly ToolDefinition[];
  readonly check: CheckCall;
  /** A tool that only changes files; undefined for the others. */
  readonly fileTool: (name: string) => PlannedTool | undefined;
}

export function createToolbox(fileTools: readonly PlannedTool[], providers: readonly string[]): Toolbox {
  const tools: readonly Pick<PlannedTool, "definition" | "check">[] = [
    { definition: runCommandDefinition, check: checkRunCommand },
    ...fileTools,
    { definition: launchAgent, check: (input) => checkLaunch(input, providers) },
  ];
  return {
    definitions: tools.map((tool) => tool.definition),
    check({ name, input }) {
      const keys = Object.keys(input);
      if (keys.length === 1 && keys[0] === "invalid") return "the input was no whole JSON object; nothing was run";
      const tool = tools.find(({ definition }) => definition.name === name);
      return tool ? tool.check(input) : `Unknown tool: ${name}`;
    },
    fileTool: (name) => fileTools.find(({ definition }) => definition.name === name),
  };
}
