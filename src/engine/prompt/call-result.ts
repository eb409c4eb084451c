import type { Call, Json } from "../../dialog/model.ts";
import { limits } from "../../protocol/limits.ts";
import { isObject } from "./json.ts";
import { cutMiddle, isBlank, wellFormed } from "./text.ts";

/** What the model is told about a call. Never blank, never longer than `limits.resultOnWire`. */
export interface Outcome {
  readonly text: string;
  readonly isError: boolean;
}

/** A denial comes before a stored result, and a result before a missing decision. */
export function outcomeOf(call: Call): Outcome {
  if (call.decision === "denied") return failed("The user denied this call. It was not run.");
  if (call.result !== undefined) return { text: resultText(told(call.name, call.result)), isError: isFailure(call.result) };
  if (call.started !== null) return failed("interrupted: this may or may not have run, and its result is not known.");
  if (isInvalid(call.input)) return failed("This call was not run: its input was not one whole JSON object.");
  return failed(
    call.decision === "approved"
      ? "This call was not run: it was allowed, but the work stopped before it started."
      : "This call was not run: the user has not decided yet.",
  );
}

/** Whether the input wasn't a complete JSON object and is stored as raw text. */
export function isInvalid(input: Call["input"]): boolean {
  return typeof input["invalid"] === "string" && Object.keys(input).length === 1;
}

function failed(error: string): Outcome {
  return { text: JSON.stringify({ success: false, error }), isError: true };
}

/** Tools whose result is text for the model. Other fields of their results are for Vibey and the user. */
const sentences = new Set(["vfs_read", "vfs_list", "vfs_write", "vfs_delete", "spawn_agent", "signal_parent"]);

function told(tool: string, result: Json): Json {
  if (!sentences.has(tool) || !isObject(result)) return result;
  const { text, error, more, changes } = result;
  const words = [text ?? error, more, changes].filter((part) => typeof part === "string");
  return words.length === 0 ? result : words.join("\n\n");
}

function resultText(result: Json): string {
  const text = wellFormed(typeof result === "string" ? result : JSON.stringify(result));
  return isBlank(text) ? "(no output)" : cutMiddle(text, limits.resultOnWire);
}

function isFailure(result: Json): boolean {
  return isObject(result) && result["success"] === false;
}
