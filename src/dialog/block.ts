import { type BlockJson, inputText, readChanged, resultText, storableJson, TORN, wasRead } from "./call-json.ts";
import { isCallId, toolName } from "./ids.ts";
import { isJsonObject, stringifyJson } from "./json.ts";
import { storedValue } from "./meta.ts";
import type { Call, JsonObject } from "./model.ts";

/** A tool block as written in a file. Its name and id are not checked yet. */
export interface Block {
  readonly name: string;
  readonly id: string;
  readonly json: BlockJson;
  readonly decision: Call["decision"];
  /** The arguments that were approved instead of the input. Null if there are none. */
  readonly changed: JsonObject | null;
  readonly started: string | null;
  /** Where reading continues: after the closing line, or at the line that ended the block without closing it. */
  readonly end: number;
  /** The file ends inside the block. */
  readonly unclosed: boolean;
}

const REQUEST = "Tool request: ";
const DECISION = "Decision: ";
const STARTED = "Started: ";
/**
 * A decision that is followed by other arguments. Without complete arguments it doesn't count. An earlier Vibey reads no decision here, and the input
 * as invalid JSON.
 */
const WITH_CHANGES = "approved with changes";

/** Whether the line from `from` to its LF at `to` can open or close a block. */
export function isRule(file: string, from: number, to: number): boolean {
  return to - from === 3 && file.startsWith("---", from);
}

/** The id in the request line that starts at `at`, unchecked. Null if no block opens with that line. */
export function blockOpensAt(file: string, at: number): string | null {
  return file.startsWith("\n---\n", at - 5) ? (readRequest(file, at)?.id ?? null) : null;
}

/**
 * The block whose `Tool request: ` line starts at `at`. Null if the line is not complete, so that no block opens. Only the first `Decision` counts,
 * even if it is invalid, and only the first `Started`.
 */
export function readBlock(file: string, at: number): Block | null {
  const request = readRequest(file, at);
  if (request === null) return null;

  let decisionWord: string | undefined;
  let started: string | null = null;
  const input: string[] = [];
  const changes: string[] = [];
  const results: string[][] = [];
  let json = input;

  let pos = request.end;
  let ended = false;
  while (pos < file.length && !ended) {
    const lf = file.indexOf("\n", pos);
    const to = lf < 0 ? file.length : lf;
    const first = file.charCodeAt(pos);
    if (first === 32 || first === 9) {
      json.push(file.slice(pos, to));
      // A torn line can look like a complete value and be only half of one: 12 of 123.
      if (lf < 0) json.push(TORN);
    } else if (pos === to) {
      // Blank lines are allowed anywhere.
    } else if (lf < 0) {
      ended = true;
    } else if (file.startsWith(DECISION, pos)) {
      if (decisionWord === undefined) {
        decisionWord = file.slice(pos + DECISION.length, to);
        if (decisionWord === WITH_CHANGES) json = changes;
      }
    } else if (file.startsWith(STARTED, pos) || (to - pos === STARTED.length - 1 && file.startsWith("Started:", pos))) {
      started ??= storedValue(file.slice(pos + STARTED.length, to));
    } else if (to - pos === 7 && file.startsWith("Result:", pos)) {
      json = [];
      results.push(json);
    } else if (isRule(file, pos, to)) {
      ended = true;
      // A line that closes one block can open the next.
      if (readRequest(file, to + 1) === null) pos = to + 1;
    } else {
      ended = true;
    }
    if (!ended) pos = to + 1;
  }

  const changed = decisionWord === WITH_CHANGES ? readChanged(changes) : null;
  const decision = changed !== null ? "approved" : decisionWord === "approved" || decisionWord === "denied" ? decisionWord : null;
  const end = Math.min(pos, file.length);
  return { name: request.name, id: request.id, json: { input, results }, decision, changed, started, end, unclosed: !ended };
}

/** A call as it is stored. Input and results that are nested too deep become `{"invalid": "<raw>"}`, and the start time is reduced to one line. */
export function storedCall(call: Call): Call {
  const { changed, ...rest } = call;
  return {
    ...rest,
    input: storableObject(call.input),
    ...(changed === undefined || call.decision !== "approved" ? {} : { changed: storableObject(changed) }),
    started: call.started === null ? null : storedValue(call.started),
    result: call.result === undefined ? undefined : storableJson(call.result),
  };
}

function storableObject(given: JsonObject): JsonObject {
  const value = storableJson(given);
  return isJsonObject(value) ? value : { invalid: stringifyJson(value) };
}

/** The block of a call, with the blank line before it. */
export function callText(call: Call): string {
  return blockText(wasRead(call) ? call : storedCall(call));
}

function blockText(call: Call): string {
  const { name, id, decision, changed, started } = call;
  const block = `\n---\n${REQUEST}${toolName(name)} [${isCallId(id) ? id : "unknown"}]\n\n    ${inputText(call)}\n\n`;
  let settled = "";
  if (decision === "approved" && changed !== undefined) settled += `${DECISION}${WITH_CHANGES}\n\n    ${stringifyJson(changed)}\n\n`;
  else if (decision !== null) settled += `${DECISION}${decision}\n`;
  if (started !== null) settled += `${STARTED}${started}\n`;
  const result = resultText(call);
  if (result !== undefined) settled += `Result:\n\n    ${result}\n`;
  return `${block}${settled}${settled === "" ? "" : "\n"}---\n`;
}

function readRequest(file: string, at: number): { name: string; id: string; end: number } | null {
  if (!file.startsWith(REQUEST, at)) return null;
  const lf = file.indexOf("\n", at);
  if (lf < 0 || file.charCodeAt(lf - 1) !== 93) return null;
  const line = file.slice(at + REQUEST.length, lf - 1);
  const bracket = line.lastIndexOf(" [");
  if (bracket < 0) return null;
  return { name: line.slice(0, bracket), id: line.slice(bracket + 2), end: lf + 1 };
}
