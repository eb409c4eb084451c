/** Calls for the keys of agents outside Vibey. */
import type { AgentKeyAnswer, AgentKeysAnswer } from "../../../protocol/index.ts";
import { json } from "./calls.ts";

export const listAgentKeys = () => json<AgentKeysAnswer>("outside/keys");
export const makeAgentKey = (name: string) => json<AgentKeyAnswer>("outside/keys", { method: "POST", body: JSON.stringify({ name }) });
export const revokeAgentKey = (id: string) => json<AgentKeysAnswer>(`outside/keys/${encodeURIComponent(id)}`, { method: "DELETE" });
