import type { ErrorAnswer } from "../../protocol/index.ts";

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

export function failure(status: number, error: string, more: Record<string, unknown> = {}): Response {
  return json({ error, ...more } satisfies ErrorAnswer, status);
}

/** Why a commit was not stored that named no other reason. */
export function storageAnswer(kind: string): Response {
  return failure(507, `the browser's storage ${kind === "full" ? "is full" : `failed (${kind})`}; nothing was changed`);
}

export function etag(version: number): Record<string, string> {
  return { etag: `"${version}"` };
}

/** The same as a text; null: there is no such file. */
export const tagOf = (version: number | null): string | null => (version === null ? null : (etag(version)["etag"] ?? null));

/** The answer to a write of a file that has another version than the one asked for; null: that was to be new. */
export const notAsExpected = (name: string, version: number | null | undefined): Response =>
  failure(412, version === null ? `${name} exists already; nothing was stored` : `${name} was changed meanwhile; nothing was stored`);

export type IfMatch =
  | {
      readonly ok: true /** null: there must be no such file yet; undefined: the request names none. */;
      readonly version: number | null | undefined;
    }
  | { readonly ok: false };

/** The version that `If-Match` names, or that `If-None-Match: *` asks for; not ok when it names something that was never one of ours. */
export function ifMatch(request: Request): IfMatch {
  if (request.headers.get("if-none-match")?.trim() === "*") return { ok: true, version: null };
  const header = request.headers.get("if-match");
  if (header === null || header.trim() === "*") return { ok: true, version: undefined };
  const match = /^(?:W\/)?"(\d{1,16})"$/.exec(header.trim());
  return match ? { ok: true, version: Number(match[1]) } : { ok: false };
}
