import type { CommonHost } from "../host.ts";
import { command } from "./command.ts";

/** `background`: the dialog's background commands, which the engine manages. */
export function background(host: CommonHost): ReturnType<typeof command> {
  return command("background", (operands) => host.background(operands));
}
