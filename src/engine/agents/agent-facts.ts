import type { DialogAgent } from "../../dialog/agent.ts";
import type { AgentFacts } from "../prompt/system.ts";
import { splitFrontMatter } from "./split.ts";

/** What the system prompt says about an agent. It uses the text in the agent's dialog, even if the agent's file has changed since. */
export const agentFacts = (agent: DialogAgent): AgentFacts => ({
  prompt: splitFrontMatter(agent.text).body,
  tools: agent.tools,
  agents: agent.agents,
});
