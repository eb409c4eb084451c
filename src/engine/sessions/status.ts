import { isOwnFormat } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { outsideOf } from "../../dialog/outside.ts";
import type { Activity, DialogFacts, NetworkAsk, SessionState, SessionStatus, Status } from "../../protocol/index.ts";
import type { Live } from "../dialogs/live.ts";
import { waitingFor } from "../projections/waiting-for.ts";
import { askedCalls, lastAnswer, stopIn } from "../turn/machine/queries.ts";
import { networkId, outsideId } from "./call-id.ts";
import { openOutsideQuestion } from "./outside-question.ts";
import type { Closed } from "./closed.ts";
import { messageId } from "./frames.ts";

export interface StatusDetail {
  readonly status: SessionStatus;
  readonly detail?: string;
}

/** A session's status, from the facts of a list. `isOpen`: this engine has the dialog open. */
export function statusOf(
  {
    status,
    activity,
    waitingFor: waits,
  }: { readonly status: Status; readonly activity: Activity | null } & Pick<DialogFacts, "waitingFor">,
  isOpen: boolean,
): StatusDetail {
  if (status === "active") {
    if (activity?.kind === "running" && activity.ask) return { status: "waiting_approval", detail: `network: ${activity.ask.host}` };
    if (activity?.kind !== "queued") return { status: "running" };
    return activity.paused === true ? { status: "idle", detail: "paused" } : { status: "running", detail: "queued" };
  }
  switch (waits) {
    case "leave":
      return { status: "waiting_approval" };
    case "question":
      return { status: "waiting_input" };
    case "failed":
      return { status: "error" };
    case "stopped":
    case "interrupted":
      return isOpen ? { status: "idle", detail: waits } : { status: "disconnected" };
    case "word":
    case null:
      return { status: isOpen ? "idle" : "disconnected" };
  }
}

/** Whether the dialog is the record of an outside agent that has reported its end. */
export const isEnded = (dialog: Dialog, status: Status): boolean => status === "done" && outsideOf(dialog) !== null;

export function statusOfLive(live: Live, closed: Pick<Closed, "has">): StatusDetail {
  const { dialog, status } = live.state;
  // A session that works or asks again is no longer closed, even if the user continued it in the app.
  if (status === "done" && closed.has(live.id)) return { status: "disconnected", detail: "closed" };
  if (isEnded(dialog, status)) return { status: "disconnected", detail: "ended" };
  if (!isOwnFormat(dialog.format) && outsideOf(dialog) === null) return { status: "disconnected", detail: "shown only" };
  const now = statusOf({ status, activity: live.activity, waitingFor: waitingFor(live.state) }, true);
  if (now.status !== "idle" || now.detail !== undefined) return now;
  return stopIn(dialog)?.startsWith("limit ") === true ? { status: "idle", detail: "limit" } : now;
}

/** The open question about a host, with the call that asks it. */
export function openQuestion({ activity }: Pick<Live, "activity">): { readonly callId: string; readonly ask: NetworkAsk } | null {
  return activity?.kind === "running" && activity.ask ? { callId: activity.callId, ask: activity.ask } : null;
}

export function sessionState(live: Live, closed: Pick<Closed, "has">): SessionState {
  const { status, detail } = statusOfLive(live, closed);
  const { dialog } = live.state;
  const question = openQuestion(live);
  const calls = status === "disconnected" ? [] : askedCalls(live.state).map(outsideId);
  const outside = calls.length === 1 ? openOutsideQuestion(dialog) : null;
  return {
    session_id: live.id,
    id: live.id,
    status,
    state: status,
    ...(detail === undefined ? {} : { detail }),
    pending_approval: question ? [networkId(question.callId, question.ask.question), ...calls] : calls,
    // An answer to an outside agent's question is for what was shown.
    pending_input: outside ? [outsideId(outside.call)] : status === "waiting_input" ? [messageId(live.id, lastAnswer(dialog))] : [],
  };
}
