import { commandSecondsSaid } from "./machine/user-permissions.ts";
import type { CommandLimit } from "./tools/run-command.ts";
import type { Live } from "../dialogs/live.ts";

/** How long a command of this dialog may run: as the dialog says, else as doc-main.md, else as Vibey does. */
export function commandLimit(live: Live): CommandLimit {
  const own = commandSecondsSaid(live.state);
  return own === null ? { seconds: live.commandSeconds(), from: "project" } : { seconds: own, from: "dialog" };
}
