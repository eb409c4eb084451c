import type { Call, Json, JsonObject } from "../model.ts";
import type { EventData } from "./model.ts";
import { ranWith } from "../call-json.ts";
import type { CallWords } from "../outside.ts";
import type { Clock } from "./clock.ts";
import type { Add } from "./add.ts";

/**
 * Adds the events of a call: the request, the decision, and the result with its effects. `allowed`: whether a line above lets the call run without
 * asking. `said`: what an agent outside Vibey says about it. `root`: the dialog, if it is the root of a run.
 */
export function readCall(
  call: Call,
  allowed: () => boolean,
  clock: Clock,
  add: Add,
  { said, root }: { readonly said: CallWords | undefined; readonly root: string | null },
): void {
  const { id, name, input, decision, changed, started, result } = call;
  const of = { call: id, tool: name };
  const { category, context } = said ?? {};
  const words = { ...(category === undefined ? {} : { category }), ...(context === undefined ? {} : { context }) };
  // A reported call that no one was asked about began when it was reported.
  const asked = said !== undefined && decision === null ? clock.at(started) : clock.now();
  add({ type: "tool_call", data: { ...of, input, ...words } }, asked);
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
  for (const { code, message } of warningsIn(result))
    add({ type: "warning", data: { message, code } }, ended, { actor: "vibey", severity: "warning" });
  if (!outcome.ok) return;
  for (const effect of effectsOf(name, id, ranWith(call), result, root)) add(effect, ended);
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

/** The effects of a successful call besides its result. */
function effectsOf(tool: string, call: string, input: JsonObject, result: Json, root: string | null): EventData[] {
  const { path, message } = input;
  // A message of any other agent to its parent appears in the parent's dialog.
  if (tool === "signal_parent" && root !== null && typeof message === "string")
    return [{ type: "signal", data: { child: root, call, text: message, to: "user" } }];
  if ((tool === "vfs_write" || tool === "vfs_delete") && typeof path === "string")
    return [{ type: "file_change", data: { call, path, op: tool === "vfs_write" ? "write" : "delete" } }];
  if ((tool === "write_file" || tool === "edit_file") && typeof path === "string")
    return [{ type: "file_change", data: { call, path, op: tool === "write_file" ? "write" : "edit" } }];
  if (tool !== "launch_agent" && tool !== "spawn_agent") return [];
  const child = asObject(asObject(result)?.["launched"])?.["dialogId"];
  if (typeof child !== "string") return [];
  const file = tool === "spawn_agent" ? fileIn(result) : null;
  return [
    ...(file === null ? [] : [{ type: "file_change", data: { call, path: file, op: "write" } } as const]),
    { type: "spawn", data: { call, child } },
  ];
}

/** The agent's file that a spawn wrote. Null if there is none. */
function fileIn(result: Json): string | null {
  const file = asObject(result)?.["file"];
  return typeof file === "string" ? file : null;
}

/** Why a guardrail refused a call, and the warnings of a successful call. */
function warningsIn(result: Json): readonly { readonly code: string; readonly message: string }[] {
  const fields = asObject(result);
  const code = fields?.["code"];
  const error = fields?.["error"];
  const refused = fields?.["success"] === false && typeof code === "string" && typeof error === "string" ? [{ code, message: error }] : [];
  const given = fields?.["warnings"];
  const list = given !== undefined && isList(given) ? given : [];
  const warnings = list.flatMap((each) => {
    const [one, message] = [asObject(each)?.["code"], asObject(each)?.["message"]];
    return typeof one === "string" && typeof message === "string" ? [{ code: one, message }] : [];
  });
  return [...refused, ...warnings];
}

function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !isList(value) ? value : null;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Guards against any duration that a result may claim. */
function later(time: string, ms: number): string {
  const end = new Date(Date.parse(time) + ms);
  return Number.isNaN(end.getTime()) || end.getUTCFullYear() > 9999 ? time : end.toISOString();
}
