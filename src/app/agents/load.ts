import type {
  AdoptBody,
  AgentAnswer,
  AgentBody,
  AgentChange,
  AgentVersions,
  AgentView,
  AgentWritten,
  BuiltInAgent,
  LevelBody,
  LevelsAnswer,
  NewAgentBody,
  ToolPermissionRow,
  ScheduleBody,
  SchedulesAnswer,
} from "../../protocol/index.ts";
import { type Answer, body, json } from "../model/api/calls.ts";

/** Whether the file has the name that its slug requires, so that the agent can be started: `agent-Coder.md` never has. */
export const isWellNamed = ({ path, slug }: Pick<AgentView, "path" | "slug">): boolean => path === `vibey/agent-${slug}.md`;

const profile = (slug: string) => `agents/profile/${encodeURIComponent(slug)}`;

export const readAgents = () => json<readonly AgentView[]>("agents");
export const readBuiltIn = () => json<readonly BuiltInAgent[]>("agents/built-in");
export const readAgent = (slug: string) => json<AgentAnswer>(profile(slug));
export const addAgent = (agent: NewAgentBody) => json<AgentWritten>("agents", body("POST", agent));
/** `own`: the user's agent with that name, which is replaced; null: there is none. */
export const adoptAgent = ({ path, hash }: AgentView, own: AgentView | null) =>
  json<AgentWritten>("agents/adopt", body("POST", { path, hash, ...(own === null ? {} : { over: own.hash }) } satisfies AdoptBody));
/** `etag`: only this version may be changed; null: the newest. */
export const changeAgent = (slug: string, change: AgentChange, etag: string | null = null) =>
  json<AgentWritten>(profile(slug), body("PUT", { change } satisfies AgentBody, etag === null ? {} : { "If-Match": etag }));
/** An agent is active unless its file says otherwise. */
export const activeChange = (isActive: boolean): AgentChange => ({ is_active: isActive ? null : false });
export const setActive = ({ slug }: AgentView, isActive: boolean) => changeAgent(slug, activeChange(isActive));
export const readToolPermissions = (slug: string) => json<readonly ToolPermissionRow[]>(`${profile(slug)}/powers`);
/** `before`: only versions older than this commit; null: the newest. */
export const readVersions = (slug: string, before: string | null) =>
  json<AgentVersions>(`${profile(slug)}/versions${before === null ? "" : `?before=${encodeURIComponent(before)}`}`);
export const readLevels = () => json<LevelsAnswer>("agents/levels");
export const writeLevel = (level: LevelBody) => json<LevelsAnswer>("agents/levels", body("PUT", level));
export const readSchedules = () => json<SchedulesAnswer>("agents/schedules");
export const changeSchedules = (change: ScheduleBody) => json<SchedulesAnswer>("agents/schedules", body("PUT", change));

/** The value of an answer; null: there is no answer yet, or it failed. */
export const valueOf = <Value>(answer: Answer<Value> | null): Value | null => (answer?.ok === true ? answer.value : null);
/** Why a reading failed; null: it didn't. */
export const failureOf = (answer: Answer<unknown> | null): string | null => (answer?.ok === false ? answer.message : null);
