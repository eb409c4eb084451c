import type { Dialog } from "../../dialog/model.ts";
import { agentOf, type DialogAgent } from "../../dialog/agent.ts";
import { withinPaths } from "../../dialog/agent-paths.ts";
import { toolsOf } from "../../dialog/pattern.ts";
import type { NewDialog } from "../dialogs/new-dialog.ts";
import { runCommandDefinition } from "../turn/tools/run-command.ts";
import type { LaunchInput } from "../turn/tools/launch-agent.ts";
import { unaskedTools } from "../../dialog/levels.ts";
import { allowedIn, takenBackIn } from "./allowed.ts";
import { type AgentLookup, modelOf } from "./agent-lookup.ts";
import { canLaunchUndefined, toolPermissionsOf, type Launcher, launcherOf } from "./tool-permissions.ts";

export interface StartDeps {
  readonly agents: Pick<AgentLookup, "find" | "names">;
  readonly isProvider: (name: string) => boolean;
  readonly defaultModel: (provider: string) => string;
}

type Started =
  | { readonly ok: true; readonly wanted: Omit<NewDialog, "launchedBy"> }
  /** Why not, for the model. */
  | { readonly ok: false; readonly refusal: string };

/** The dialog of an agent that the agent of `dialog` starts. It may run nothing without approval that its starter may not. */
export async function startedAgent(input: LaunchInput, dialog: Dialog, deps: StartDeps): Promise<Started> {
  const { agent: name, provider, model, prompt, slug } = input;
  const by = launcherOf(dialog);
  // A tool the starter doesn't have can't be pre-approved: no line in its dialog covers it.
  const allowed = new Set([...allowedIn(dialog)].filter((value) => by === null || toolsOf(value).every((tool) => by.tools.includes(tool))));
  const takenBack = takenBackIn(dialog);
  if (name === null) {
    const plain = { provider, model, prompt, slug, takenBack };
    if (by === null) return { ok: true, wanted: plain };
    if (by.agents !== null) return refused(`agent: expected the name of an agent. ${list("You can start", by.agents)}`);
    if (!canLaunchUndefined(by))
      return refused("agent: expected the name of an agent, because one without a name has tools that you don't have");
    return { ok: true, wanted: { ...plain, allowed } };
  }
  if (by?.agents?.includes(name) === false) return refused(`agent: you can't start '${name}'. ${list("You can start", by.agents)}`);
  const found = await deps.agents.find(name);
  if (found === null) return refused(`agent: '${name}' not found. ${list("Available", await deps.agents.names())}`);
  const { agent } = found;
  const wanted = modelOf(found.model, provider, deps.isProvider);
  const target = wanted.provider ?? provider;
  return {
    ok: true,
    wanted: {
      provider: target,
      model: wanted.model ?? (target === provider ? model : deps.defaultModel(target)),
      prompt,
      slug: slug === "" ? name : slug,
      agent: inheriting(agent, dialog, by, allowed),
      allowed,
      takenBack,
    },
  };
}

/** The agent, with no more power than the agent of `dialog` that starts it. `allowed`: what the starter may do without approval. */
export function inheriting(agent: DialogAgent, dialog: Dialog, by: Launcher | null, allowed: ReadonlySet<string>): DialogAgent {
  const { tools, ceiling } = toolPermissionsOf(agent.slug, agent.tools, by);
  const [reads, writes] = [withinPaths(agent.reads, by?.reads ?? null), withinPaths(agent.writes, by?.writes ?? null)];
  // A command can read and write anywhere.
  const kept = tools.filter((tool) => tool !== runCommandDefinition.name || (reads === null && writes === null));
  const escalates = kept.filter((tool) => agent.escalates.includes(tool) || agentOf(dialog)?.escalates.includes(tool) === true);
  const asks = kept.filter((tool) => agent.asks.includes(tool) || (unaskedTools.has(tool) && !allowed.has(tool)));
  return { ...agent, tools: kept, asks, escalates, reads, writes, ceiling: by === null ? null : ceiling };
}

const refused = (refusal: string): Started => ({ ok: false, refusal });
const list = (what: string, names: readonly string[]): string => (names.length === 0 ? "There is none." : `${what}: ${names.join(", ")}.`);
