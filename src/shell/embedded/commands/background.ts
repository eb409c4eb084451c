import type { CommonHost } from "../host.ts";
import { command } from "./command.ts";

/** The dialog's commands that continue in the background: the engine knows them. */
export function background(host: CommonHost): ReturnType<typeof command> {
  return command("background", (operands) => host.background(operands));
}
