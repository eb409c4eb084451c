import { ranWith } from "../../../dialog/call-json.ts";
import { isJsonObject } from "../../../dialog/json.ts";
import type { Lines } from "../../../dialog/lines.ts";
import type { Call, Json } from "../../../dialog/model.ts";
import type { Point } from "./point.ts";
import { code, quoted } from "./quote.ts";

/** The maximum lengths of a call's subject and of a quotation, in UTF-16 units. */
const maxSubjectLength = 80;
const longest = 120;

/** The result of a call as a point. `after` is the user's message right after it, which gives the reason for a denial. */
export function callPoint(call: Call, lines: Lines, after: string): Point {
  if (call.decision === "denied") {
    const reason = after === "" ? "" : `, saying ${quoted(after, longest)}`;
    return { lines, text: `The user denied ${subject(call)}${reason}`, counts: { denial: 1 } };
  }
  if (call.result === undefined) return { lines, text: `${openText(call)}: ${subject(call)}`, counts: { open: 1 } };
  if (!succeeded(call)) return { lines, text: `Failed: ${subject(call)} (${failureText(call.result)})`, counts: { failure: 1 } };
  if (call.name === "launch_agent") return { lines, text: launchText(call, call.result), counts: { agent: 1 } };
  return { lines, text: subject(call), counts: { command: 1 } };
}

export function succeeded({ decision, result }: Call): boolean {
  return decision !== "denied" && result !== undefined && at(result, "success") !== false;
}

/** The value of a string field. Null if there is none. */
export function field(value: Json, name: string): string | null {
  const found = at(value, name);
  return typeof found === "string" ? found : null;
}

function openText({ decision, started }: Call): string {
  if (started !== null) return "Started; result unknown";
  return decision === "approved" ? "Approved but not run" : "No decision; not run";
}

/** The subject of a call, in one or two code spans. */
function subject(call: Call): string {
  const { name } = call;
  const input = ranWith(call);
  const command = name === "run_command" ? field(input, "command") : null;
  if (command !== null) return code(command, maxSubjectLength);
  const path = field(input, "path");
  return path === null ? code(name, maxSubjectLength) : `${code(name, maxSubjectLength)} of ${code(path, maxSubjectLength)}`;
}

function failureText(result: Json): string {
  const error = field(result, "error") ?? "no reason given";
  const words = field(result, "stderr")?.trim() ?? "";
  return words === "" ? quoted(error, longest) : `${quoted(error, 60)}: ${quoted(words, longest)}`;
}

function launchText(call: Call, result: Json): string {
  const input = ranWith(call);
  const launched = at(result, "launched");
  const id = launched === undefined ? null : field(launched, "dialogId");
  return `Launched the agent ${code(id ?? "unknown", maxSubjectLength)}: ${quoted(field(input, "prompt") ?? "", longest)}`;
}

function at(value: Json, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
