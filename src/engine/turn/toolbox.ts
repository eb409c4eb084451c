import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import type { CheckCall } from "./machine/model.ts";
import type { ToolDefinition } from "../providers/provider.ts";
import { checkLaunch, launchAgent } from "./tools/launch-agent.ts";
import { checkRunCommand, runCommandDefinition } from "./tools/run-command.ts";
import type { PlannedTool } from "./tools/tool.ts";
import { readToolNames, readTools } from "./tools/vfs.ts";

/** The tools: what the model is told of them, and whether a call can run. */
export interface Toolbox {
  /** Those of this dialog's agent. */
  readonly definitions: (dialog: Dialog) => readonly ToolDefinition[];
  readonly check: CheckCall;
  /** A tool that only reads or changes files; undefined for the others. */
  readonly fileTool: (name: string) => PlannedTool | undefined;
}

export function createToolbox(writing: readonly PlannedTool[], providers: readonly string[]): Toolbox {
  const fileTools = [...writing, ...readTools];
  const tools: readonly Pick<PlannedTool, "definition" | "check">[] = [
    { definition: runCommandDefinition, check: checkRunCommand },
    ...fileTools,
    { definition: launchAgent, check: (input) => checkLaunch(input, providers) },
  ];
  return {
    definitions: (dialog) => tools.map((tool) => tool.definition).filter(({ name }) => has(dialog, name)),
    check({ name, input }, dialog) {
      const keys = Object.keys(input);
      if (keys.length === 1 && keys[0] === "invalid") return "the input was no whole JSON object; nothing was run";
      const tool = tools.find(({ definition }) => definition.name === name);
      if (tool && !has(dialog, name) && agentOf(dialog)) return `This agent doesn't have the tool ${name}`;
      return tool && has(dialog, name) ? tool.check(input) : `Unknown tool: ${name}`;
    },
    fileTool: (name) => fileTools.find(({ definition }) => definition.name === name),
  };
}

/** Whether the dialog's agent has the tool: one that no file defines has the four that change things. */
const has = (dialog: Dialog, name: string): boolean => agentOf(dialog)?.tools.includes(name) ?? !readToolNames.has(name);
