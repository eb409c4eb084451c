import type { RunAgentState, RunAgentView, RunView } from "../../protocol/index.ts";
import { stateOfStop } from "../../protocol/graph/stop.ts";
import { tokenLimitReason } from "./guardrails.ts";
import type { RunAgent, RunSettings, Runs } from "./runs.ts";

/** A run as a screen shows it. Null if no run has this root. */
export function runView(run: string, runs: Pick<Runs, "members" | "member" | "now" | "depth">): RunView | null {
  const root = runs.member(run);
  if (root?.run !== run || root.parent !== null) return null;
  const now = runs.now(run);
  const agents = runs.members(run).map((member): RunAgentView => {
    const { dialogId, parent, file, title, stop, tokens } = member;
    return { dialogId, parent, file, title, depth: runs.depth(member), state: stateOf(member, now), stop, tokens };
  });
  const count = (state: RunAgentState): number => agents.filter((agent) => agent.state === state).length;
  const [running, asking] = [count("running"), count("asks")];
  const queued = runs.members(run).filter(({ isQueued }) => isQueued).length;
  const { file, title, started } = root;
  const isOver = agents.every(({ state }) => state === "completed" || state === "aborted" || state === "error");
  const pausedBy = now.paused ? "user" : tokenLimitReason(now) !== null && !isOver ? "tokens" : null;
  return {
    runId: run,
    file,
    title,
    started,
    state: pausedBy !== null ? "paused" : running + queued > 0 ? "running" : asking > 0 ? "asks" : stateOf(root, now),
    pausedBy,
    running,
    queued,
    asking,
    tokens: now.tokens,
    limits: now.limits,
    agents,
  };
}

function stateOf({ status, isQueued, isAsking, stop, userCommands }: RunAgent, { paused }: RunSettings): RunAgentState {
  if (status === "active") return isQueued ? (paused || userCommands.agentPaused === true ? "paused" : "queued") : "running";
  if (isAsking) return "asks";
  if (stop !== null) return stateOfStop(stop);
  return status === "done" ? "completed" : "idle";
}
