import * as v from "valibot";
import { failure } from "./answers.ts";

export type Body<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly answer: Response };

/** Reads and checks a request's JSON body. An error names the field and what was expected. */
export async function readBody<S extends v.GenericSchema>(request: Request, schema: S): Promise<Body<v.InferOutput<S>>> {
  let value: unknown;
  try {
    value = JSON.parse(await request.text());
  } catch (error) {
    return { ok: false, answer: failure(400, `body: expected JSON (${error instanceof Error ? error.message : String(error)})`) };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, answer: failure(400, "body: expected a JSON object") };
  }
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return { ok: true, value: parsed.output };
  const [issue] = parsed.issues;
  const isMissing = issue.kind === "schema" && issue.type === "object" && issue.received === "undefined";
  return { ok: false, answer: failure(400, `${v.getDotPath(issue) ?? "body"}: ${isMissing ? "expected, but missing" : issue.message}`) };
}

/** A string, with an error message. */
export const text = v.string("expected text");
export const nonEmpty = v.pipe(
  text,
  v.check((value) => value.trim() !== "", "expected text that is not empty"),
);
