import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import type { AgentFacts } from "../prompt/system.ts";
import { splitFrontMatter } from "./split.ts";

/** What the system prompt says of the agent that the dialog's header names; null: it names none. The dialog's own text counts, whatever its file says now. */
export function agentFacts(dialog: Dialog): AgentFacts | null {
  const agent = agentOf(dialog);
  return agent && { prompt: splitFrontMatter(agent.text).body, tools: agent.tools, agents: agent.agents };
}
