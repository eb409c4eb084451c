import type { DialogAgent } from "../../dialog/agent.ts";
import type { AgentFacts } from "../prompt/system.ts";
import { splitFrontMatter } from "./split.ts";

/** What the system prompt says of an agent. The text that its dialog holds counts, whatever its file says now. */
export const agentFacts = (agent: DialogAgent): AgentFacts => ({
  prompt: splitFrontMatter(agent.text).body,
  tools: agent.tools,
  agents: agent.agents,
});
