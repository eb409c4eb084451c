import type { CallView, PutDialogBody } from "../../protocol/index.ts";
import * as t from "../texts/decisions.ts";

export type Choice = "approve" | "deny";

const sentinel = (lines: readonly string[]) => `əəə\n${lines.join("\n")}\nəəə`;

/**
 * The body that tells the engine what the user decided, with the hash of each call that was on the screen. `always`: ids of calls whose rules an
 * agent outside Vibey keeps. `changes`: arguments that replace the agent's, by the call's id.
 */
export function decisionBody(
  dialogId: string,
  decided: readonly { readonly call: Pick<CallView, "id" | "hash">; readonly choice: Choice }[],
  allow: readonly string[] = [],
  reason = "",
  always: readonly string[] = [],
  changes: Readonly<Record<string, CallView["input"]>> = {},
): PutDialogBody {
  return {
    dialogId,
    decisions: sentinel(decided.map(({ call, choice }) => `${call.id}: ${choice}`)),
    ...(allow.length > 0 ? { authorizations: sentinel(allow.map((tool) => `allow ${tool}`)) } : {}),
    ...(always.length > 0 ? { always } : {}),
    hashes: Object.fromEntries(decided.map(({ call }) => [call.id, call.hash])),
    ...(Object.keys(changes).length === 0 ? {} : { changes }),
    // Only this agent is told the reason, even if it mentions others.
    ...(reason.trim() === "" ? {} : { prompt: reason, mentions: [] }),
  };
}

/**
 * The reasons for the denials of one response, as one message to the agent. If several calls were denied, each reason names its call by number and
 * tool. It never uses the agent's own words, which would then be part of a message by the user.
 */
export function reasonText(
  decided: readonly { readonly call: Pick<CallView, "tool">; readonly choice: Choice; readonly reason: string }[],
): string {
  const denied = decided
    .map((one, index) => ({ ...one, number: index + 1, reason: one.reason.trim() }))
    .filter(({ choice }) => choice === "deny");
  if (denied.length === 1) return denied[0]?.reason ?? "";
  return denied
    .filter(({ reason }) => reason !== "")
    .map(({ number, call, reason }) => t.reasonFor(number, decided.length, call.tool, reason))
    .join("\n\n");
}

/** The body that ends an authorization. */
export const revokeBody = (dialogId: string, tool: string): PutDialogBody => ({ dialogId, authorizations: sentinel([`deny ${tool}`]) });

/** The body that lets the dialog use a tool without asking. */
export const allowBody = (dialogId: string, tool: string): PutDialogBody => ({ dialogId, authorizations: sentinel([`allow ${tool}`]) });
