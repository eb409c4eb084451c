import * as v from "valibot";
import { clean } from "../../dialog/clean.ts";
import { isDialogId } from "../../dialog/name.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { limits } from "../../protocol/limits.ts";
import { isModelName } from "../names.ts";
import { json } from "./answers.ts";

/** Why a request to `/api` was refused. */
export function detail(status: number, why: string, headers: Record<string, string> = {}): Response {
  return json({ detail: why }, status, headers);
}

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly answer: Response };

/** Reads and checks a JSON body. A 422 answer names the wrong field and what was expected. */
export async function readDetailed<S extends v.GenericSchema>(request: Request, schema: S): Promise<Read<v.InferOutput<S>>> {
  let value: unknown;
  try {
    value = JSON.parse(await request.text());
  } catch {
    return { ok: false, answer: detail(422, "body: expected JSON") };
  }
  if (!isObject(value)) return { ok: false, answer: detail(422, "body: expected a JSON object") };
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { ok: true, value: parsed.output };
  const [issue] = parsed.issues;
  return { ok: false, answer: detail(422, `${v.getDotPath(issue) ?? "body"}: ${issue.message}`) };
}

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === "object" && given !== null && !Array.isArray(given);

const aText = "expected text that is not empty";
const words = v.pipe(
  v.string(aText),
  v.check((value) => clean(value) !== "", aText),
  v.maxLength(limits.prompt, `expected at most ${limits.prompt} characters`),
);
const callArguments = v.custom<JsonObject>(isObject, "expected a JSON object");

const anId = v.nullish(v.string("expected text"));

/** Older clients send `content` or `response`. An answer can name its question as in `pending_input`, in either of the id fields. */
export const messageBody = v.pipe(
  v.object({ text: v.optional(words), content: v.optional(words), response: v.optional(words), request_id: anId, message_id: anId }),
  v.transform(({ text, content, response, request_id, message_id }) => ({
    text: text ?? content ?? response,
    request_id: request_id ?? message_id,
  })),
  v.object({ text: v.string("text: expected, but missing"), request_id: anId }),
);

/** Older clients send `call_id`. */
export const approveBody = v.pipe(
  v.object({
    tool_call_id: v.optional(v.string("expected text")),
    call_id: v.optional(v.string("expected text")),
    approved: v.boolean("expected true or false"),
    edited_args: v.nullish(callArguments),
    hash: v.nullish(v.pipe(v.string("expected text"), v.regex(/^[0-9a-f]{16,64}$/, "expected 16 to 64 digits of 0-9 and a-f"))),
  }),
  v.transform(({ tool_call_id, call_id, ...rest }) => ({ ...rest, id: tool_call_id ?? call_id })),
  v.object({
    id: v.string("tool_call_id: expected, but missing"),
    approved: v.boolean(),
    edited_args: v.nullish(v.custom<JsonObject>(isObject)),
    hash: v.nullish(v.string()),
  }),
);

export const spawnBody = v.object({
  session_id: v.optional(
    v.pipe(
      v.string("expected text"),
      v.check(isDialogId, "expected an id such as 20260228-120000-fix-the-login: date, time, and words of a-z, 0-9 and -"),
    ),
  ),
  message: v.optional(words),
  provider: v.optional(v.string("expected text")),
  model: v.optional(v.pipe(v.string("expected text"), v.check(isModelName, "expected a model ID"))),
  slug: v.optional(v.string("expected text")),
});
