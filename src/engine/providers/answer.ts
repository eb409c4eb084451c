import { DEEPEST_JSON } from "../format/json.ts";
import type { Json } from "../format/model.ts";
import { isObject } from "../history/json.ts";
import type { CallInput, ProviderEvent, Stop } from "./provider.ts";

/**
 * One response on its way to whoever reads it, the same on every wire.
 *
 * - Text is given as it comes. From the first call on everything is held back to the end, so that the order of text and
 *   calls is kept and a call of a response that did not end well is never given.
 * - A call is given when it is whole and the response ended by itself.
 */
export interface Answer {
  /** Anything was given or held that a human or a model could miss. */
  readonly shown: boolean;
  say(text: string): ProviderEvent[];
  /** A call begins. What `call` says is read when the response has ended. */
  begin(call: HeldCall): void;
  /** Gives what was held back. */
  finish(stop: Stop): { readonly events: ProviderEvent[]; readonly stop: Stop };
}

export interface HeldCall {
  readonly id: string;
  readonly name: string;
  /** The wire has said that nothing of it is missing. */
  readonly whole: boolean;
  readonly input: () => CallInput;
}

export function createAnswer(): Answer {
  const held: ({ readonly call: HeldCall } | { text: string })[] = [];
  let shown = false;
  /** Something that is no white space. An answer without it is empty: nothing of it would stand in the dialog. */
  let said = false;
  return {
    get shown() {
      return shown;
    },
    say(text) {
      if (text === "") return [];
      shown = true;
      if (text.trim() !== "") said = true;
      if (held.length === 0) return [{ type: "text", text }];
      const last = held.at(-1);
      if (last && "text" in last) last.text += text;
      else held.push({ text });
      return [];
    },
    begin(call) {
      held.push({ call });
      shown = true;
      said = true;
    },
    finish(given) {
      let stop = given;
      if (stop.kind === "end" && held.some((item) => "call" in item && !item.call.whole)) {
        stop = { kind: "interrupted", message: "The response ended in the middle of a tool call. Nothing of it was run." };
      }
      if (stop.kind === "end" && !said) {
        stop = { kind: "error", reason: "empty", message: "The model answered with nothing. Send a message to go on, or try again." };
      }
      const events = held.flatMap((item): ProviderEvent[] => {
        if ("text" in item) return [{ type: "text", text: item.text }];
        return stop.kind === "end" ? [{ type: "call", id: item.call.id, name: item.call.name, input: item.call.input() }] : [];
      });
      return { events, stop };
    },
  };
}

/** Strict: one whole JSON object, or nothing at all, which stands for `{}`. Never repaired. */
export function parseInput(json: string): CallInput {
  if (json.trim() === "") return { ok: true, value: {} };
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

/** What a wire should send as text; anything else is none. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
