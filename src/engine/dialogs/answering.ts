import type { OrderedReply } from "../agents/deliver.ts";
import type { AgentDesk } from "../agents/desk.ts";
import { prepareTasks, type Room, type TasksDeps } from "../agents/tasks.ts";
import type { UsableAgent } from "../agents/usable-agent.ts";
import type { Dialog, Section } from "../../dialog/model.ts";
import { isHumans, type Mention } from "../../dialog/replies.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import type { Event, MachineOptions, Reply } from "../turn/machine/model.ts";
import { currentModel, currentProvider } from "../turn/machine/settle.ts";
import { step } from "../turn/machine/step.ts";
import type { Turns } from "../turn/turns.ts";
import type { Creation, Prepared } from "./create.ts";
import type { Dispatched } from "./dispatch.ts";
import type { Live } from "./live.ts";

export interface AnsweringDeps extends Omit<TasksDeps, "creation"> {
  readonly agents: Pick<AgentDesk, "mentioned">;
  readonly creation: Creation;
  readonly docLimits: Pick<DocLimits, "read">;
  readonly options: MachineOptions;
  readonly now: () => Date;
  readonly act: Turns["act"];
  /** Takes up a dialog that was just stored. */
  readonly begin: (task: Prepared, version: number) => void;
}

/** Agents that are mentioned, and the dialogs in which they answer. The caller holds the order of the dialog in which they are. */
export interface Answering {
  /** The message and the dialogs of the agents that answer it are one transaction. */
  put(live: Live, event: Extract<Event, { type: "put" }>, agents: readonly UsableAgent[]): Promise<Dispatched>;
  /** Answers, and the dialogs of those that answer next, are one transaction. */
  storeReplies(live: Live, replies: readonly OrderedReply[]): Promise<Dispatched>;
  prepare(agents: readonly UsableAgent[], mentions: readonly Mention[], room: Room): Promise<Prepared[]>;
  begin(tasks: readonly Prepared[], version: number): void;
}

export function createAnswering(deps: AnsweringDeps): Answering {
  const { creation, docLimits, options, act } = deps;
  const begin = (tasks: readonly Prepared[], version: number): void => tasks.forEach((task) => deps.begin(task, version));
  const prepare = (agents: readonly UsableAgent[], mentions: readonly Mention[], room: Room) => prepareTasks(agents, mentions, room, deps);

  /** The first agent of those that answer next that there still is; null: none. */
  async function nextOf({ order, message }: OrderedReply, dialogId: string, before: Dialog) {
    const asked = sectionAt(before, message - 1);
    if (asked === undefined || !isHumans(asked)) return null;
    for (const [at, slug] of order.entries()) {
      const agents = await deps.agents.mentioned("", [slug]);
      if (agents.length === 0) continue;
      const [mention] = mentionsOfAgents(agents, await creation.ids([slug]));
      if (!mention) return null;
      const prompt = textOf(asked);
      const tasks = await prepare(agents, [mention], { dialogId, before, allowing: before, message, prompt, ...currentTarget(before) });
      return { mention, order: order.slice(at + 1), tasks };
    }
    return null;
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
        // What the user says of permissions with the message counts for those who answer it.
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
    async storeReplies(live, replies) {
      const time = deps.now().toISOString();
      if (live.state.turn !== null || replies.every(({ order, system }) => system || order.length === 0))
        return act(live, { type: "deliver", replies, time });
      return creation.oneByOne(async () => {
        await docLimits.read();
        const after = step(live.state, { type: "deliver", replies, time }, options);
        const before = after.ok ? after.state.dialog : live.state.dialog;
        const tasks: Prepared[] = [];
        const linked: Reply[] = [];
        for (const reply of replies) {
          const next = reply.system ? null : await nextOf(reply, live.id, before);
          if (next) tasks.push(...next.tasks);
          linked.push(next ? { ...reply, next } : reply);
        }
        return act(live, { type: "deliver", replies: linked, time }, newFiles(tasks), (version) => begin(tasks, version));
      });
    },
  };
}

export const mentionsOfAgents = (agents: readonly UsableAgent[], ids: readonly string[]): Mention[] =>
  agents.map(({ agent: { slug } }, at) => ({ agent: slug, dialogId: ids[at] ?? "" }));

/** Whom a message of the dialog would be sent to now. */
export const currentTarget = (dialog: Dialog) => ({ provider: currentProvider(dialog), model: currentModel(dialog) });

const newFiles = (tasks: readonly Prepared[]) => ({
  changes: tasks.map(({ change }) => change),
  expect: tasks.map(({ path }) => ({ path, version: null })),
});

const textOf = ({ parts }: Section): string => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
