import type { Call, Json, JsonObject } from "../model.ts";
import type { EventData } from "./model.ts";
import { ranWith } from "../call-json.ts";
import type { Clock } from "./clock.ts";
import type { Add } from "./add.ts";

/** What a call tells: that it was asked for, decided, and what came of it. `allowed`: a line above it lets it run without asking. */
export function readCall(call: Call, allowed: () => boolean, clock: Clock, add: Add): void {
  const { id, name, input, decision, changed, started, result } = call;
  const of = { call: id, tool: name };
  add({ type: "tool_call", data: { ...of, input } }, clock.now());
  if (decision !== null) {
    const from = decision === "approved" && allowed() ? "authority" : "human";
    add({ type: "approval", data: { ...of, decision, from, ...(changed === undefined ? {} : { edited: true as const }) } }, clock.now(), {
      actor: from === "human" ? "human" : "vibey",
    });
  }
  const began = clock.at(started);
  if (result === undefined) return;
  const outcome = readOutcome(result);
  const ended = began.exact && outcome.ms !== null ? { time: later(began.time, outcome.ms), exact: true } : clock.now();
  add({ type: "tool_result", data: { ...of, ...outcome, result } }, ended, { severity: outcome.ok ? "info" : "warning" });
  if (!outcome.ok) return;
  for (const effect of effectsOf(name, id, ranWith(call), result)) add(effect, ended);
}

interface Outcome {
  readonly ok: boolean;
  readonly error: string | null;
  readonly ms: number | null;
  readonly code: number | null;
}

function readOutcome(result: Json): Outcome {
  const fields = asObject(result);
  const number = (value: Json | undefined): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
  const ms = number(fields?.["ms"]);
  return {
    ok: fields?.["success"] === true,
    error: typeof fields?.["error"] === "string" ? fields["error"] : null,
    ms: ms !== null && ms >= 0 ? ms : null,
    code: number(fields?.["exitCode"]) ?? number(fields?.["code"]),
  };
}

/** What a call that went well did beside its result. */
function effectsOf(tool: string, call: string, input: JsonObject, result: Json): EventData[] {
  const path = input["path"];
  if ((tool === "write_file" || tool === "edit_file") && typeof path === "string")
    return [{ type: "file_change", data: { call, path, op: tool === "write_file" ? "write" : "edit" } }];
  if (tool !== "launch_agent") return [];
  const child = asObject(asObject(result)?.["launched"])?.["dialogId"];
  return typeof child === "string" ? [{ type: "spawn", data: { call, child } }] : [];
}

function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !isList(value) ? value : null;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** A result can claim any duration. */
function later(time: string, ms: number): string {
  const end = new Date(Date.parse(time) + ms);
  return Number.isNaN(end.getTime()) || end.getUTCFullYear() > 9999 ? time : end.toISOString();
}
