import type { JsonObject } from "../../../dialog/model.ts";
import { isCount } from "../answer.ts";
import type { Memory } from "../memory.ts";

/**
 * What is known about one model of one server, beyond Vibey's built-in knowledge. Facts are learned from refusals, one at a time.
 * If a field is missing, no refusal has concerned it.
 */
export interface Facts {
  readonly wire?: WireName;
  /** With this reasoning effort, a model accepts tools on a server that doesn't have the Responses API. */
  readonly effort?: "none";
  /** The name of the field that limits a response's tokens. Null: the server accepts no such field. */
  readonly tokensField?: TokensField | null;
  readonly maxTokens?: number;
  readonly window?: number;
  /** The role of the system text. */
  readonly role?: SystemRole;
  /** Fields that the server does not know. */
  readonly without?: readonly string[];
  /** User and assistant messages must alternate in the model's template. */
  readonly alternate?: true;
  /** Call ids must have nine letters and digits. */
  readonly shortIds?: true;
  /** Calls must carry the signature of the thought before them. */
  readonly signatures?: true;
  /** The text in place of an assistant message's thoughts. The server requires the field. */
  readonly reasoning?: " " | "";
  /** An assistant message must come between the results of calls and the next user message. */
  readonly replies?: true;
  /** Every message must have a text, which may be empty. */
  readonly texts?: true;
  /** Results must have the names of their tools. */
  readonly toolNames?: true;
}

export type WireName = "chat" | "responses";
export type TokensField = "max_tokens" | "max_completion_tokens";
export type SystemRole = "developer" | "system" | "user";

/** Reads stored facts. An earlier Vibey may have stored them, so every field is checked. */
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
