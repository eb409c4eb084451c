import { beginsNext, type OrderedReply } from "../agents/deliver.ts";
import { resolveWords } from "../agents/resolver.ts";
import type { AgentLookup } from "../agents/agent-lookup.ts";
import { prepareTasks, type MentionSource, type TasksDeps } from "../agents/tasks.ts";
import type { UsableAgent } from "../agents/usable-agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { saysDone } from "../../dialog/mentions/done.ts";
import { withoutLeadingMentions } from "../../dialog/mentions/mentioned.ts";
import { isHumans, type Mention, resolvesOf } from "../../dialog/replies.ts";
import { sectionAt, sectionCount, withoutLast } from "../../dialog/sections.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import type { Event, MachineOptions, Reply } from "../turn/machine/model.ts";
import { currentModel, currentProvider } from "../turn/machine/next-step.ts";
import { step } from "../turn/machine/step.ts";
import type { Turns } from "../turn/turns.ts";
import type { Creation, Prepared } from "./create.ts";
import type { Dispatched } from "./dispatch.ts";
import { sideForkOf } from "./fork-point.ts";
import type { Live } from "./live.ts";
import { sideDialog, textOf, topicFrom } from "./side.ts";

/** The maximum number of replies when agents answer each other, counted together. */
const maxReplies = 10;

interface Following {
  readonly mention: Mention;
  readonly tasks: readonly Prepared[];
}

export interface AnsweringDeps extends Omit<TasksDeps, "creation"> {
  readonly agents: Pick<AgentLookup, "mentioned" | "resolver">;
  readonly creation: Creation;
  readonly docLimits: Pick<DocLimits, "read">;
  readonly options: MachineOptions;
  readonly now: () => Date;
  readonly act: Turns["act"];
  /** Starts a dialog that was just stored. */
  readonly begin: (task: Prepared, version: number) => void;
}

/** Mentioned agents, and the dialogs in which they answer. The caller runs in the order (`inOrder`) of the dialog that mentions them. */
export interface Answering {
  /** Stores the message and the dialogs of the answering agents in one transaction. */
  put(live: Live, event: Extract<Event, { type: "put" }>, agents: readonly UsableAgent[]): Promise<Dispatched>;
  /** Lets two or more agents answer each other in a side fork. Stores the message, the fork and the first agent's dialog in one transaction. */
  turns(live: Live, event: Extract<Event, { type: "put" }>, agents: readonly UsableAgent[]): Promise<Dispatched>;
  /** Stores answers, and the dialogs of the agents that answer next, in one transaction. */
  storeReplies(live: Live, replies: readonly OrderedReply[]): Promise<Dispatched>;
  prepare(agents: readonly UsableAgent[], mentions: readonly Mention[], source: MentionSource): Promise<Prepared[]>;
  begin(tasks: readonly Prepared[], version: number): void;
}

export function createAnswering(deps: AnsweringDeps): Answering {
  const { creation, docLimits, options, act } = deps;
  const begin = (tasks: readonly Prepared[], version: number): void => tasks.forEach((task) => deps.begin(task, version));
  const prepare = (agents: readonly UsableAgent[], mentions: readonly Mention[], room: MentionSource) =>
    prepareTasks(agents, mentions, room, deps);

  /** The message that is answered, and its dialog. Null if the message is not the user's. */
  function mentionSourceOf({ message }: OrderedReply, dialogId: string, before: Dialog): MentionSource | null {
    const asked = sectionAt(before, message - 1);
    if (asked === undefined || !isHumans(asked)) return null;
    return { dialogId, before, allowing: before, message, prompt: textOf(asked), ...currentTarget(before) };
  }

  /** The first of these agents that still exists, and its index among them. Null if none exists. */
  async function firstOf(slugs: readonly string[], room: MentionSource): Promise<(Following & { readonly at: number }) | null> {
    for (const [at, slug] of slugs.entries()) {
      const agents = await deps.agents.mentioned("", [slug]);
      if (agents.length === 0) continue;
      const [mention] = mentionsOfAgents(agents, await creation.ids([slug]));
      if (!mention) return null;
      return { mention, at, tasks: await prepare(agents, [mention], room) };
    }
    return null;
  }

  /** The reply with what follows it, and the dialogs of the agents that answer next. `before`: the dialog including the reply. */
  async function following(reply: OrderedReply, live: Live, before: Dialog): Promise<{ reply: Reply; tasks: readonly Prepared[] }> {
    const { order, turns } = reply;
    const room = reply.system ? null : mentionSourceOf(reply, live.id, before);
    const alone = { reply, tasks: [] };
    if (!room) return alone;
    if (turns === null) {
      const next = await firstOf(order, room);
      return next ? { reply: { ...reply, next: { mention: next.mention, order: order.slice(next.at + 1) } }, tasks: next.tasks } : alone;
    }
    // The user has ended the discussion, or asked for its summary.
    if (live.state.status === "done" || isResolved(before)) return alone;
    const left = turns.left - 1;
    const others = turns.next.filter((slug) => slug !== reply.from.agent);
    const next = left === 0 || saysDone(reply.text) ? null : await firstOf(others, { ...room, inTurns: turns.next });
    if (next) {
      const { mention, at, tasks } = next;
      // Agents whose files no longer exist drop out.
      const after = { left, next: [...others.slice(at + 1), reply.from.agent, mention.agent] };
      return { reply: { ...reply, next: { mention, order: [], turns: after } }, tasks };
    }
    const to = sideForkOf(before.head)?.dialogId;
    if (to === undefined) return alone;
    const agents = [await deps.agents.resolver()];
    const [mention] = mentionsOfAgents(agents, await creation.ids(agents.map(({ agent: { slug } }) => slug)));
    if (!mention) return alone;
    const tasks = await prepare(agents, [mention], { ...room, message: sectionCount(before) + 1, prompt: resolveWords });
    return { reply: { ...reply, end: { mention, to, prompt: resolveWords } }, tasks };
  }

  return {
    begin,
    prepare,
    put: (live, event, agents) =>
      creation.oneByOne(async () => {
        await docLimits.read();
        const { dialog } = live.state;
        const mentions = mentionsOfAgents(agents, await creation.ids(agents.map(({ agent: { slug } }) => slug)));
        const { provider, model, prompt } = event;
        // Permissions that the user sends with the message apply to the agents that answer it.
        const after = step(live.state, { ...event, mentions }, options);
        const room = {
          dialogId: live.id,
          before: dialog,
          allowing: after.ok ? after.state.dialog : dialog,
          message: sectionCount(dialog) + 1,
          prompt: prompt ?? "",
          provider,
          model,
        };
        const tasks = await prepare(agents, mentions, room);
        return act(live, { ...event, mentions }, newFiles(tasks), (version) => begin(tasks, version));
      }),
    turns: (live, event, agents) =>
      creation.oneByOne(async () => {
        await docLimits.read();
        const { provider, model } = event;
        const prompt = event.prompt ?? "";
        const slugs = agents.map(({ agent: { slug } }) => slug);
        const [first] = agents;
        const topic = topicFrom(withoutLeadingMentions(prompt, new Set(slugs)));
        const [sideId = "", ...taskIds] = await creation.ids([topic, ...slugs.slice(0, 1)]);
        const mentions = mentionsOfAgents(first ? [first] : [], taskIds);
        const message = sectionCount(live.state.dialog) + 1;
        const after = step(live.state, { ...event, side: sideId }, options);
        // Permissions that the user sends with the message apply to the agents that answer it.
        const allowing = after.ok ? after.state.dialog : live.state.dialog;
        const turns = { left: maxReplies, next: [...slugs.slice(1), ...slugs.slice(0, 1)] };
        const origin = { dialogId: live.id, message, from: { kind: "human", dialogId: live.id }, text: prompt, turns } as const;
        const side = await creation.prepare(sideDialog(origin, topic, allowing, { provider, model }), { id: sideId, mentions });
        const { dialog } = side.state;
        const room = {
          dialogId: sideId,
          before: withoutLast(dialog),
          allowing: dialog,
          message: 1,
          prompt,
          inTurns: slugs,
          provider,
          model,
        };
        const all = [side, ...(await prepare(first ? [first] : [], mentions, room))];
        return act(live, { ...event, side: sideId }, newFiles(all), (version) => begin(all, version));
      }),
    async storeReplies(live, replies) {
      const time = deps.now().toISOString();
      if (live.state.turn !== null || !replies.some(beginsNext)) return act(live, { type: "deliver", replies, time });
      return creation.oneByOne(async () => {
        await docLimits.read();
        const after = step(live.state, { type: "deliver", replies, time }, options);
        const before = after.ok ? after.state.dialog : live.state.dialog;
        const tasks: Prepared[] = [];
        const linked: Reply[] = [];
        for (const reply of replies) {
          const done = await following(reply, live, before);
          tasks.push(...done.tasks);
          linked.push(done.reply);
        }
        return act(live, { type: "deliver", replies: linked, time }, newFiles(tasks), (version) => begin(tasks, version));
      });
    },
  };
}

/** Whether the user has asked for the summary of this fork. */
const isResolved = ({ sections }: Dialog): boolean => sections.some((section) => isHumans(section) && resolvesOf(section) !== null);

export const mentionsOfAgents = (agents: readonly UsableAgent[], ids: readonly string[]): Mention[] =>
  agents.map(({ agent: { slug } }, at) => ({ agent: slug, dialogId: ids[at] ?? "" }));

/** The provider and model that would answer a message in this dialog now. */
export const currentTarget = (dialog: Dialog) => ({ provider: currentProvider(dialog), model: currentModel(dialog) });

const newFiles = (tasks: readonly Prepared[]) => ({
  changes: tasks.map(({ change }) => change),
  expect: tasks.map(({ path }) => ({ path, version: null })),
});
