import { allowedIn, takenBackIn } from "./allowed.ts";
import type { DialogAgent } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import type { Mention } from "../../dialog/replies.ts";
import type { Creation, Prepared } from "../dialogs/create.ts";
import { modelOf } from "./agent-lookup.ts";
import type { UsableAgent } from "./usable-agent.ts";
import { agentName } from "../../dialog/mentions/agent-name.ts";
import { withoutLeadingMentions } from "../../dialog/mentions/mentioned.ts";
import { mentionContext } from "./mention-context.ts";

export interface MentionSource {
  readonly dialogId: string;
  /** The content before the message. */
  readonly before: Dialog;
  /** The dialog with the message, which determines what runs without approval. */
  readonly allowing: Dialog;
  /** The number of the message in it, from 1. */
  readonly message: number;
  readonly prompt: string;
  /** The slugs of the agents that answer each other. Left out if each answers only the user. */
  readonly inTurns?: readonly string[];
  /** The provider and model for agents whose file names no model. */
  readonly provider: string;
  readonly model: string;
}

export interface TasksDeps {
  readonly creation: Pick<Creation, "prepare">;
  readonly defaultModel: (provider: string) => string;
  readonly isProvider: (name: string) => boolean;
  /** The user's name. Empty if none is set. */
  readonly userName: () => Promise<string>;
  /** The size of a model's window in tokens. Null if it is unknown. */
  readonly window: (provider: string, model: string) => number | null;
  /** The system prompt of a dialog with this agent. */
  readonly systemOf: (agent: DialogAgent) => Promise<string>;
}

/** What an agent is told if it answers in turns with others. */
function inTurns(others: readonly string[] = []): string[] {
  if (others.length === 0) return [];
  const names = others.map((slug) => `${agentName(slug)} (AI)`).join(", ");
  return [
    `You answer in turns with ${names}. Reply to what was said last. When nothing is left to say, end your reply with a line that holds DONE and nothing else.`,
  ];
}

/**
 * Prepares the dialogs in which the agents mentioned by a message answer. Nothing is stored. Each agent sees what was said before the message,
 * but no other agent's answer. None may do more without approval than the dialog that mentions it.
 */
export async function prepareTasks(
  agents: readonly UsableAgent[],
  mentions: readonly Mention[],
  source: MentionSource,
  { creation, defaultModel, isProvider, userName, window, systemOf }: TasksDeps,
): Promise<Prepared[]> {
  const [allowed, takenBack] = [allowedIn(source.allowing), takenBackIn(source.allowing)];
  const user = (agents.length === 0 ? "" : await userName()) || undefined;
  const slugs = new Set([...agents.map(({ agent }) => agent.slug), ...(source.inTurns ?? [])]);
  const prompt = withoutLeadingMentions(source.prompt, slugs);
  const tasks: Prepared[] = [];
  for (const [at, { agent, model, context }] of agents.entries()) {
    const wanted = modelOf(model, source.provider, isProvider);
    const provider = wanted.provider ?? source.provider;
    const chosen = wanted.model ?? (provider === source.provider ? source.model : defaultModel(provider));
    const sent = { length: prompt.length + (await systemOf(agent)).length, window: window(provider, chosen) };
    const task = {
      provider,
      model: chosen,
      slug: agent.slug,
      prompt,
      launchedBy: null,
      agent,
      reply: {
        to: { dialogId: source.dialogId, message: source.message },
        context: [
          mentionContext(source.before, agent.slug, context, sent, user),
          ...inTurns(source.inTurns?.filter((slug) => slug !== agent.slug)),
        ].join("\n\n"),
      },
      allowed,
      takenBack,
    };
    tasks.push(await creation.prepare(task, { id: mentions[at]?.dialogId }));
  }
  return tasks;
}
