import { clean } from "../../../dialog/clean.ts";
import { LONGEST_VALUE, metaValue } from "../../../dialog/meta.ts";
import type { JsonObject } from "../../../dialog/model.ts";
import { fileName } from "../../scheduler/guardrails.ts";
import type { Runs } from "../../scheduler/runs.ts";
import type { ToolDefinition } from "../../providers/provider.ts";
import { checkTexts, textFields, textOf } from "./inputs.ts";
import { type Plan, refuse } from "./tool.ts";

/** Agents of a run use it to send a message to the agent that started them. */
export const signalParent: ToolDefinition = {
  name: "signal_parent",
  description:
    "Send a message to the agent that started you, which is activated again to read it. The message of the first agent goes to the user.",
  inputSchema: textFields({ message: "What it is to know, in full: it can't see this dialog." }),
};

export function checkSignal(input: JsonObject): string | null {
  return checkTexts(input, ["message"]) ?? (clean(textOf(input, "message")) === "" ? "message: expected text" : null);
}

/** Plans the result of a signal. The message itself is read from the call once the call has its result. */
export function planSignal(dialogId: string, input: JsonObject, runs: Pick<Runs, "member" | "now">): Plan {
  const own = runs.member(dialogId);
  if (own === null) return refuse("Error: this dialog belongs to no run.");
  const told = (text: string, notice?: string): Plan => ({
    changes: [],
    expect: [],
    result: { success: true, text },
    ...(notice === undefined ? {} : { notice }),
  });
  if (own.parent === null) {
    const name = fileName(own.file);
    return told(`Message sent to the user: '${name}' has no parent agent.`, `The agent ${name} says: ${shown(textOf(input, "message"))}`);
  }
  const parent = runs.member(own.parent);
  if (parent === null) return refuse("Error: the dialog of the parent agent is gone.");
  const name = fileName(parent.file);
  if (staysAsleep(parent)) return told(`Message stored for parent '${name}', which was stopped; not re-activated.`);
  if (runs.now(own.run).paused || parent.userCommands.agentPaused === true)
    return told(`Message stored for parent '${name}'. Re-activating when the run resumes.`);
  return told(`Message sent to parent '${name}'. Re-activating.`);
}

/** The part of a message that fits into a notice, on one line. The dialog has the full message. */
const shown = (message: string): string => (message.length <= LONGEST_VALUE ? metaValue(message) : `${metaValue(message)}…`);

/** Whether agents can't wake it, because the user stopped it or it made no progress. */
export const staysAsleep = ({ stop }: { readonly stop: string | null }): boolean => stop === "aborted" || stop === "limit no progress";
