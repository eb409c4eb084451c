import { DEEPEST_JSON } from "../../dialog/json.ts";
import type { Json } from "../../dialog/model.ts";
import { isObject } from "../prompt/json.ts";
import { type CallInput, emptyResponse, type ProviderEvent, type Stop } from "./provider.ts";

/**
 * One response as it streams, the same for every API. Everything is passed on as it arrives: text, the beginning of a call, and the
 * call once it is complete. Whether a call may run is not decided here: only a response that ended by itself runs calls.
 */
export interface Answer {
  /** Whether anything was passed on that the user or the model could miss. */
  readonly shown: boolean;
  say(text: string): ProviderEvent[];
  /** A call begins. */
  begin(call: ComingCall): void;
  /** The calls whose names have arrived, and those that are complete, since the last time. */
  news(): ProviderEvent[];
  /** Ends the response. Returns the events that are only certain now. */
  finish(stop: Stop): { readonly events: ProviderEvent[]; readonly stop: Stop };
}

/** A call that may be incomplete. Its fields say what has arrived so far. */
export interface ComingCall {
  readonly id: string;
  readonly name: string;
  /** The call is complete, however the response ends. */
  readonly whole: boolean;
  /** The call is complete if the response ends by itself. */
  readonly closed: boolean;
  readonly input: () => CallInput;
}

interface Coming {
  readonly call: ComingCall;
  /** Its index among the calls that were reported. Null: not reported yet. */
  at: number | null;
  given: CallInput | null;
}

export function createAnswer(): Answer {
  const calls: Coming[] = [];
  /** The calls that are not complete. */
  const open = new Set<Coming>();
  let told = 0;
  let shown = false;
  /** Whether the response has a call or a text that isn't only white space. Otherwise it is empty, and the dialog would show nothing. */
  let said = false;

  function* start(coming: Coming): Generator<ProviderEvent> {
    if (coming.at !== null) return;
    coming.at = told++;
    yield { type: "call_start", at: coming.at, id: coming.call.id, name: coming.call.name };
  }

  function* give(coming: Coming): Generator<ProviderEvent> {
    yield* start(coming);
    const { call, at } = coming;
    coming.given = call.input();
    open.delete(coming);
    yield { type: "call", at: at ?? 0, id: call.id, name: call.name, input: coming.given };
  }

  return {
    get shown() {
      return shown;
    },
    say(text) {
      if (text === "") return [];
      shown = true;
      if (text.trim() !== "") said = true;
      // An earlier call keeps its earlier place, even if its name is not known yet.
      return [...[...open].flatMap((coming) => [...start(coming)]), { type: "text", text }];
    },
    begin(call) {
      const coming: Coming = { call, at: null, given: null };
      calls.push(coming);
      open.add(coming);
      shown = true;
      said = true;
    },
    news() {
      const events: ProviderEvent[] = [];
      for (const coming of open) {
        if (coming.call.name === "") continue;
        events.push(...start(coming));
        if (coming.call.whole) events.push(...give(coming));
      }
      return events;
    },
    finish(given) {
      let stop = given;
      if (stop.kind === "end" && [...open].some(({ call }) => !call.whole && !call.closed)) stop = midCall;
      if (stop.kind === "end" && calls.some(isOther)) stop = changed;
      if (stop.kind === "end" && !said) stop = { kind: "error", reason: "empty", message: emptyResponse };
      const events: ProviderEvent[] = [];
      for (const coming of open) {
        const isComplete = coming.call.whole || (stop.kind === "end" && coming.call.closed);
        events.push(...(isComplete ? give(coming) : start(coming)));
      }
      return { events, stop };
    },
  };
}

const midCall: Stop = { kind: "interrupted", message: "The response ended in the middle of a tool call, so the call wasn't run." };
const changed: Stop = { kind: "interrupted", message: "The server added to a tool call that was complete. No call was run." };

/** Whether the server has added to a call that was already passed on as complete. */
function isOther({ call, given }: Coming): boolean {
  return given !== null && JSON.stringify(call.input()) !== JSON.stringify(given);
}

/** Strict: a complete JSON object, or nothing, which means `{}`. Some models (Llama at Groq) write `null` instead. Never repairs the text. */
export function parseInput(json: string): CallInput {
  if (["", "null"].includes(json.trim())) return { ok: true, value: {} };
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) && isShallow(value, DEEPEST_JSON) ? { ok: true, value } : { ok: false, raw: json };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return { ok: false, raw: json };
    throw error;
  }
}

function isShallow(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner: Json) => isShallow(inner, levels - 1));
}

/** A value that should be text. "" if it isn't. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The JSON of a call's input. Servers send it as text, some as the value itself. "": there is none, or it is the `[]` that PHP writes for `{}`. */
export function asJson(value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
