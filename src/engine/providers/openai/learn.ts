import type { Refusal } from "../errors.ts";
import { namedLimit } from "../tokens.ts";
import type { Fit } from "./fit.ts";
import type { Facts, SystemRole, TokensField, WireName } from "./facts.ts";

/** The parts of a refused request that a refusal can teach something about. */
export interface Tried {
  readonly wire: WireName;
  /** An earlier refusal suggested `reasoning_effort: "none"`. */
  readonly offersNone: boolean;
  readonly tokensField: TokensField | "max_output_tokens" | null;
  readonly tokens: number;
  /** The other name of that field was already tried and refused. */
  readonly bothFields: boolean;
  readonly role: SystemRole;
  /** Fields of the body that may be left out. */
  readonly optional: readonly string[];
  readonly fit: Fit;
}

export interface Lesson {
  /** What to remember. Empty if it only concerns this moment. */
  readonly fact: Facts;
  /** The `max_tokens` for the retry of this request. */
  readonly tokens?: number;
}

/**
 * What a refusal teaches about the server. Null if it teaches nothing: the same request would be refused again.
 *
 * Servers word their refusals differently. A lesson only needs the name of something that the request had. The remedy is to leave it out
 * or to write it differently. A wrong lesson costs one more request, and nothing else.
 */
export function lessonOf({ status, said, param }: Refusal, tried: Tried): Lesson | null {
  if (status === null || status === 401 || status === 403) return null;
  const words = [said, param].join(" ");
  return (
    wireLesson(status, words, tried) ??
    tokensLesson(status, words, tried) ??
    (status === 400 || status === 422 || status === 500 ? shapeLesson(words, tried) : null)
  );
}

function wireLesson(status: number, said: string, { wire, offersNone }: Tried): Lesson | null {
  if (status !== 400 && status !== 404) return null;
  if (wire === "chat") return /v1\/responses|responses api|not a chat model/i.test(said) ? { fact: { wire: "responses" } } : null;
  if (!/v1\/chat\/completions|chat completions/i.test(said) && !isNoSuchPath(status, said)) return null;
  return { fact: { wire: "chat", ...(offersNone ? { effort: "none" } : {}) } };
}

/** Every framework has its own text for a path that doesn't exist, but none of these texts mentions a model. */
function isNoSuchPath(status: number, said: string): boolean {
  return status === 404 && !/model/i.test(said);
}

function tokensLesson(status: number, said: string, { tokensField, tokens }: Tried): Lesson | null {
  if (tokensField === null || ![400, 402, 413, 422, 429].includes(status)) return null;
  const limit = namedLimit(said, tokens);
  if (limit === null || (!limit.passing && status !== 400 && status !== 422)) return null;
  if (limit.passing) return { fact: {}, tokens: limit.tokens };
  return { fact: limit.window === null ? { maxTokens: limit.tokens } : { window: limit.window }, tokens: limit.tokens };
}

const unknownField =
  /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|extra|not permitted|not allowed|invalid|cannot find|does not (?:support|accept)|no such/i;

function shapeLesson(said: string, tried: Tried): Lesson | null {
  if (tried.wire === "chat") {
    const fit = fitLesson(said, tried.fit);
    if (fit !== null) return { fact: fit };
    const role = roleLesson(said, tried.role);
    if (role !== null) return { fact: { role } };
  }
  if (!unknownField.test(said)) return null;
  const { tokensField } = tried;
  if (tokensField !== null && tokensField !== "max_output_tokens" && names(said, tokensField)) {
    const other = tokensField === "max_tokens" ? "max_completion_tokens" : "max_tokens";
    return { fact: { tokensField: tried.bothFields ? null : other } };
  }
  const field = tried.optional.find((name) => names(said, name));
  return field === undefined ? null : { fact: { without: [field] } };
}

/** What the messages lack. Null: nothing, or nothing that isn't already added. */
function fitLesson(said: string, fit: Fit): Fit | null {
  if (!fit.shortIds && /tool call id .* length of 9/is.test(said)) return { shortIds: true };
  if (!fit.alternate && /roles must alternate|alternate user\/assistant/i.test(said)) return { alternate: true };
  if (!fit.replies && /role '?user'? after role '?tool/i.test(said)) return { replies: true };
  if (!fit.texts && /\bcontent\b/i.test(said) && /<nil>|\bnull\b|NoneType|must be a string|should be a valid string/i.test(said))
    return { texts: true };
  if (!fit.toolNames && /function_response\.name|tool message.{0,40}\bname\b/i.test(said)) return { toolNames: true };
  if (!fit.signatures && /thought_?signature/i.test(said)) return { signatures: true };
  if (!/reasoning_content/i.test(said) || !/missing|must be (passed|provided|included)|required/i.test(said)) return null;
  // A space first, because some servers treat an empty field as missing. If the space is refused too, an empty text.
  return fit.reasoning === undefined ? { reasoning: " " } : fit.reasoning === " " ? { reasoning: "" } : null;
}

function roleLesson(said: string, role: SystemRole): SystemRole | null {
  if (role === "user" || !/role/i.test(said) || !new RegExp(`\\b${role}\\b`, "i").test(said)) return null;
  // "Supported values are: 'system', …" lists the known roles. The refused role comes before it.
  const refused = said.split(/supported values|expected one of|must be one of|input should be/i)[0] ?? said;
  if (role === "developer") return "system";
  return new RegExp(`\\b${role}\\b`, "i").test(refused) && unknownField.test(refused)
    ? /developer/i.test(said.slice(refused.length))
      ? "developer"
      : "user"
    : null;
}

function names(said: string, field: string): boolean {
  return new RegExp(`(?<![\\w])${field}(?![\\w])`).test(said);
}
