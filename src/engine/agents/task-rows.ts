import type { Dialog, Section } from "../../dialog/model.ts";
import { sectionTime } from "../../dialog/edit.ts";
import { agentOf, agentPath } from "../../dialog/agent.ts";
import { fromOf, isHumans, mentionsOf, repliesTo, resolvesOf, systemOf } from "../../dialog/replies.ts";
import type { AgentTask } from "../../protocol/index.ts";
import { forkedFrom, sideForkOf } from "../dialogs/fork-point.ts";
import { lastRead } from "../turn/machine/last-read.ts";
import type { State } from "../turn/machine/model.ts";
import { stopIn } from "../turn/machine/queries.ts";
import { queuedIn } from "../turn/machine/queued.ts";
import { currentModel } from "../turn/machine/next-step.ts";
import { parseUsage } from "../turn/machine/usage.ts";
import { repliesOf } from "./pending-replies.ts";

/** The dialog in which an agent answers. Null if it no longer exists. */
export type TaskState = Pick<State, "dialog" | "status"> | null;

/** A message's id: the dialog's id, and the number of the message in it, from 1. */
const messageId = (dialogId: string, index: number): string => `${dialogId}/${index + 1}`;

const textOf = ({ parts }: Section): string => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");

/** The tasks that a dialog's messages created, oldest first, read from the files. */
export function taskRows(dialogId: string, dialog: Dialog, find: (dialogId: string) => TaskState): AgentTask[] {
  const side = sideForkOf(dialog.head);
  const { sections } = dialog;
  return sections.flatMap((section, at) =>
    mentionsOf(section).map((mention): AgentTask => {
      const state = find(mention.dialogId);
      const own = state !== null && repliesTo(state.dialog.head)?.dialogId === dialogId ? state : null;
      const answer = own && (repliesOf(own.dialog, mention).find(({ system }) => !system) ?? null);
      const reply = sections.findIndex((one) => {
        const from = fromOf(one);
        return from?.kind === "agent" && from.dialogId === mention.dialogId && systemOf(one) === null;
      });
      const status = statusOf(own, answer !== null);
      const isSummary = resolvesOf(section) !== null;
      const fork = isSummary ? forkedFrom(dialog.head) : side;
      const usage = own && lastRead(own.dialog, "Usage cumulative", parseUsage);
      const asked = own?.dialog.sections.find((one) => one.role === "user" && isHumans(one));
      return {
        id: mention.dialogId,
        thread_id: fork?.dialogId ?? dialogId,
        fork_id: fork === null ? null : dialogId,
        trigger_message_id: messageId(dialogId, at),
        agent_config_id: (own && agentPath(own.dialog)) ?? `vibey/agent-${mention.agent}.md`,
        agent_config_version_id: own && (agentOf(own.dialog)?.hash ?? null),
        status,
        task_type: isSummary ? "dive_publish" : "message_response",
        input: { prompt: asked ? textOf(asked) : textOf(section) },
        token_usage: usage && own ? { input_tokens: usage.input, output_tokens: usage.output, model: currentModel(own.dialog) } : null,
        output: answer && reply >= 0 ? { messageId: messageId(dialogId, reply), responseLength: answer.text.length } : null,
        completed_at: own && (status === "completed" || status === "failed") ? endOf(own.dialog) : null,
      };
    }),
  );
}

/** A task that is done without an answer has failed, because nothing more will come. */
function statusOf(state: TaskState, isAnswered: boolean): AgentTask["status"] {
  if (isAnswered) return "completed";
  if (state === null) return "failed";
  if (state.status === "active") return queuedIn(state.dialog) === null ? "running" : "queued";
  if (state.status === "done") return "failed";
  return stopIn(state.dialog) === null ? "running" : "failed";
}

/** The time when the last response ended. */
function endOf({ sections }: Dialog): string | null {
  const last = sections.findLast(({ role }) => role === "assistant");
  return last === undefined ? null : sectionTime(last).end;
}
