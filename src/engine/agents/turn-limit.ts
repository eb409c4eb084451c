import { agentOf } from "../../dialog/agent.ts";
import { isHumans } from "../../dialog/replies.ts";
import type { Dialog } from "../../dialog/model.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";

/** Why the agent gets no further response to the user's last message: the limit in its file is reached. Null if it isn't. */
export function turnLimitReason(dialog: Dialog): string | null {
  const most = agentOf(dialog)?.bounds.maxTurns ?? null;
  if (most === null) return null;
  let responses = 0;
  for (let at = sectionCount(dialog) - 1; at >= 0; at -= 1) {
    const section = sectionAt(dialog, at);
    if (section === undefined || (section.role === "user" && isHumans(section))) break;
    if (section.role === "assistant") responses += 1;
  }
  return responses < most ? null : `max_turns ${most} (the agent's file)`;
}
