import type { JsonObject } from "../../../dialog/model.ts";
import { isCount } from "../answer.ts";
import type { Memory } from "../memory.ts";

/**
 * What is known about one model of one server, beyond what Vibey brings along: learned from refusals, one at a time.
 * A field that is left out was never a matter.
 */
export interface Facts {
  readonly wire?: WireName;
  /** The one thing that lets a model take tools where there is no Responses wire. */
  readonly effort?: "none";
  /** How a response's most tokens are called; null: the server takes no such field. */
  readonly tokensField?: TokensField | null;
  readonly maxTokens?: number;
  readonly window?: number;
  /** Who says the system text. */
  readonly role?: SystemRole;
  /** Fields that the server does not know. */
  readonly without?: readonly string[];
  /** The model's template wants user and assistant in turn. */
  readonly alternate?: true;
  /** Call ids have nine letters and digits. */
  readonly shortIds?: true;
  /** Calls have the signature of the thought behind them. */
  readonly signatures?: true;
  /** What stands for the thoughts of an assistant's message, which has to have some. */
  readonly reasoning?: " " | "";
  /** The assistant answers the results of calls before the user speaks. */
  readonly replies?: true;
  /** Every message has a text, if an empty one. */
  readonly texts?: true;
  /** Results have the names of their tools. */
  readonly toolNames?: true;
}

export type WireName = "chat" | "responses";
export type TokensField = "max_tokens" | "max_completion_tokens";
export type SystemRole = "developer" | "system" | "user";

/** What is kept may be of an earlier Vibey, so nothing is taken unseen. */
export function readFacts(memory: Memory, key: string): Facts {
  const kept = memory.read(key) ?? {};
  const {
    wire,
    effort,
    tokensField,
    maxTokens,
    window,
    role,
    without,
    alternate,
    shortIds,
    signatures,
    reasoning,
    replies,
    texts,
    toolNames,
  } = kept;
  return {
    ...(wire === "chat" || wire === "responses" ? { wire } : {}),
    ...(effort === "none" ? { effort } : {}),
    ...(tokensField === "max_tokens" || tokensField === "max_completion_tokens" || tokensField === null ? { tokensField } : {}),
    ...(isCount(maxTokens) ? { maxTokens } : {}),
    ...(isCount(window) ? { window } : {}),
    ...(role === "developer" || role === "system" || role === "user" ? { role } : {}),
    ...(Array.isArray(without) ? { without: without.filter((field) => typeof field === "string") } : {}),
    ...(alternate === true ? { alternate } : {}),
    ...(shortIds === true ? { shortIds } : {}),
    ...(signatures === true ? { signatures } : {}),
    ...(reasoning === " " || reasoning === "" ? { reasoning } : {}),
    ...(replies === true ? { replies } : {}),
    ...(texts === true ? { texts } : {}),
    ...(toolNames === true ? { toolNames } : {}),
  };
}

export function learnFact(memory: Memory, key: string, fact: Facts): void {
  memory.write(key, { ...memory.read(key), ...fact } satisfies JsonObject);
}
