import type { ErrorAnswer } from "../../protocol/index.ts";

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

export function failure(status: number, error: string, more: Record<string, unknown> = {}): Response {
  return json({ error, ...more } satisfies ErrorAnswer, status);
}

/** The answer if a commit failed without a more specific reason. */
export function storageAnswer(kind: string): Response {
  return failure(507, `the browser's storage ${kind === "full" ? "is full" : `failed (${kind})`}; nothing was changed`);
}

export function etag(version: number): Record<string, string> {
  return { etag: `"${version}"` };
}

/** The same as a string. Null if there is no such file. */
export const tagOf = (version: number | null): string | null => (version === null ? null : (etag(version)["etag"] ?? null));

/** The answer if a file doesn't have the expected version. Null means that the file was expected not to exist. */
export const notAsExpected = (name: string, version: number | null | undefined): Response =>
  failure(412, version === null ? `${name} exists already; nothing was stored` : `${name} was changed meanwhile; nothing was stored`);

export type IfMatch =
  | {
      readonly ok: true /** Null: the file must not exist yet. Undefined: the request names no version. */;
      readonly version: number | null | undefined;
    }
  | { readonly ok: false };

/** The version in `If-Match`, or null for `If-None-Match: *`. Not ok if `If-Match` isn't a version that Vibey could have sent. */
export function ifMatch(request: Request): IfMatch {
  if (request.headers.get("if-none-match")?.trim() === "*") return { ok: true, version: null };
  const header = request.headers.get("if-match");
  if (header === null || header.trim() === "*") return { ok: true, version: undefined };
  const match = /^(?:W\/)?"(\d{1,16})"$/.exec(header.trim());
  return match ? { ok: true, version: Number(match[1]) } : { ok: false };
}
