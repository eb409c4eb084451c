import { agentOf } from "./agent.ts";
import { hasResult } from "./call-json.ts";
import { sectionTime } from "./edit.ts";
import { isJsonObject } from "./json.ts";
import type { Call, Dialog, Section } from "./model.ts";
import { isHumans } from "./replies.ts";
import { runOf } from "./run.ts";
import { sectionAt, sectionCount } from "./sections.ts";

/* Whether the agent of a run makes progress. A response in which no call ran is a strike. After two strikes in a row the agent is stopped. */

/** Responses in a row without progress after which the agent is stopped. */
export const maxStrikes = 2;

/** An agent with one of these tools is expected to change something. */
const makes = new Set(["vfs_write", "edit_file", "run_command", "vfs_delete", "spawn_agent"]);

/** Whether the agent of a dialog has to make progress: it belongs to a run and has a tool that changes something. */
const mustProgress = (dialog: Dialog): boolean =>
  runOf(dialog.head) !== null && (agentOf(dialog)?.tools.some((tool) => makes.has(tool)) ?? false);

/**
 * How many responses in a row, up to the last one that ended, did nothing: none of their calls ran. A call that a guardrail refused did not run. An
 * answer without calls right after a response with calls is not a strike. A message from the user resets the count.
 */
export function strikesIn(dialog: Dialog): number {
  if (!mustProgress(dialog)) return 0;
  let strikes = 0;
  for (let at = sectionCount(dialog) - 1; at >= 0; at -= 1) {
    const section = sectionAt(dialog, at);
    if (section === undefined || (section.role === "user" && isHumans(section))) break;
    if (section.role === "user" || !isWhole(section)) continue;
    if (!madeNothing(dialog, at)) break;
    strikes += 1;
  }
  return strikes;
}

/** Whether response `at` did nothing although the agent has to make progress. */
export function isStrike(dialog: Dialog, at: number): boolean {
  const section = sectionAt(dialog, at);
  return section !== undefined && mustProgress(dialog) && isWhole(section) && madeNothing(dialog, at);
}

function madeNothing(dialog: Dialog, at: number): boolean {
  const section = sectionAt(dialog, at);
  if (section === undefined || callsIn(section).some(hasRun)) return false;
  if (callsIn(section).length > 0) return true;
  const before = sectionAt(dialog, at - 1);
  return before?.role !== "assistant" || !callsIn(before).some(hasRun);
}

/** Whether the response ended by itself and all its calls are settled. */
function isWhole(section: Section): boolean {
  if (section.role !== "assistant" || sectionTime(section).open) return false;
  if (section.parts.some((part) => part.kind === "meta" && part.lines.some(({ key }) => key === "Stop" || key === "Waiting"))) return false;
  return callsIn(section).every((call) => hasResult(call) || call.decision === "denied");
}

function hasRun(call: Call): boolean {
  if (call.started === null || !hasResult(call)) return false;
  const { result } = call;
  const code = isJsonObject(result) && result["success"] === false ? result["code"] : undefined;
  return code !== "depth" && code !== "fanout" && code !== "loop";
}

const callsIn = (section: Section): readonly Call[] => section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
