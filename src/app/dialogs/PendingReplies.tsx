import { For, Show } from "solid-js";
import { agentName, initialsOf } from "../../dialog/mentions/agent-name.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/mentions.ts";
import { shownText } from "./frames.ts";
import { createOpenDialog } from "./open-dialog.ts";
import type { PendingReply } from "./pending-replies.ts";
import { groupOf } from "./dialog-group.ts";

/** The agents that were mentioned and have not answered: what each is doing, and what it has written so far. */
export default function PendingReplies(props: { replies: readonly PendingReply[] }) {
  const ids = () => props.replies.map(({ dialogId }) => dialogId);
  return (
    <For each={ids()}>
      {(id) => <Show when={props.replies.find(({ dialogId }) => dialogId === id)}>{(reply) => <Pending reply={reply()} />}</Show>}
    </For>
  );
}

function Pending(props: { reply: PendingReply }) {
  // Only running agents write. Stopped and waiting agents don't.
  const dialog = createOpenDialog(
    () => (groupOf(props.reply.listing) === "running" ? props.reply.dialogId : null),
    () => undefined,
  );
  const name = () => agentName(props.reply.agent);
  /** The text that it is writing now. Text before a call is only an intermediate step. */
  const written = () => {
    const message = dialog.slots().at(-1)?.message();
    const last = message?.role === "assistant" ? message.parts.at(-1) : undefined;
    return last?.kind === "text" ? shownText(last) : null;
  };
  return (
    <article class="turn ai pending" aria-label={name()}>
      <div class="who">
        <b data-face={initialsOf(name())}>{name()}</b>
        <a href={formatRoute({ tab: "dialogs", dialogId: props.reply.dialogId })}>{t.openDialog}</a>
      </div>
      <Show when={written()}>{(text) => <Markdown text={text()} complete={false} />}</Show>
      <output class="thinking">
        {doing(props.reply)} <span class="cursor" classList={{ still: groupOf(props.reply.listing) !== "running" }} aria-hidden="true" />
      </output>
    </article>
  );
}

function doing({ agent, listing }: PendingReply): string {
  const name = agentName(agent);
  switch (groupOf(listing)) {
    case "queued":
      return t.isQueued(name);
    case "running":
      return t.isThinking(name);
    case "stopped":
      return t.wasStopped(name);
    default:
      if (listing.waitingFor === "interrupted") return t.wasInterrupted(name);
      return listing.waitingFor === "leave" ? t.needsApproval(name) : t.needsYou(name);
  }
}
