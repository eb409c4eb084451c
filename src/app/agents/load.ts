import type { AdoptBody, AgentBody, AgentView, AgentWritten, NewAgentBody, PowerRow } from "../../protocol/index.ts";
import { body, json } from "../model/api/calls.ts";

export const readAgents = () => json<readonly AgentView[]>("agents");
export const addAgent = (agent: NewAgentBody) => json<AgentWritten>("agents", body("POST", agent));
export const adoptAgent = ({ path, hash }: AgentView) =>
  json<AgentWritten>("agents/adopt", body("POST", { path, hash } satisfies AdoptBody));
/** An agent is on where its file says nothing of it. */
export const setActive = ({ slug }: AgentView, isActive: boolean) =>
  json<AgentWritten>(
    `agents/profile/${encodeURIComponent(slug)}`,
    body("PUT", { change: { is_active: isActive ? null : false } } satisfies AgentBody),
  );
export const readPowers = (slug: string) => json<readonly PowerRow[]>(`agents/profile/${encodeURIComponent(slug)}/powers`);
