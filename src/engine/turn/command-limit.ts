import { commandSecondsSaid } from "./machine/user-permissions.ts";
import type { CommandLimit } from "./tools/run-command.ts";
import type { Live } from "../dialogs/live.ts";

/** How long a command of this dialog may run. The dialog's own limit comes first, then the limit in doc-main.md, then Vibey's default. */
export function commandLimit(live: Live): CommandLimit {
  const own = commandSecondsSaid(live.state);
  return own === null ? { seconds: live.commandSeconds(), from: "project" } : { seconds: own, from: "dialog" };
}
