import { agentOf } from "../../dialog/agent.ts";
import type { Dialog } from "../../dialog/model.ts";
import { repliesTo } from "../../dialog/replies.ts";
import type { NewDialog } from "../dialogs/new-dialog.ts";
import { unaskedTools } from "../../dialog/levels.ts";
import { allowedIn, takenBackIn } from "./allowed.ts";

/**
 * The agent of a dialog that continues or forks this one. It may do no more without approval than in this dialog: an import allows nothing, and
 * what the user revoked stays revoked. A dialog that the user began without an agent also gets what doc-main.md allows now.
 */
export function inheritedAgent(dialog: Dialog): Pick<NewDialog, "agent" | "allowed" | "takenBack"> {
  const agent = agentOf(dialog);
  const isOthers = repliesTo(dialog.head) !== null || dialog.head.some(({ key }) => key === "Launched by" || key === "Prompt by");
  const takenBack = takenBackIn(dialog);
  if (agent === null && !isOthers) return { agent, takenBack };
  const allowed = allowedIn(dialog);
  if (agent === null) return { agent, allowed, takenBack };
  const asks = agent.tools.filter((tool) => agent.asks.includes(tool) || (unaskedTools.has(tool) && !allowed.has(tool)));
  return { agent: { ...agent, asks }, allowed, takenBack };
}
