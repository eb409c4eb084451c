import type { Hono } from "hono/tiny";
import * as v from "valibot";
import type { ModelsAnswer } from "../api.ts";
import { isModelName } from "../names.ts";
import { failure, json } from "./answers.ts";
import { readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { route } from "./route.ts";

/** A server on this device, as people type it: `localhost:11434`. */
function withScheme(typed: string): string {
  return /^(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i.test(typed) ? `http://${typed}` : typed;
}

/** http: reaches this machine only: a key must not cross a network in the clear. */
function isBaseURL(given: string): boolean {
  if (!URL.canParse(given.trim())) return false;
  const { protocol, hostname, username, password } = new URL(given.trim());
  const local = hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
  return username === "" && password === "" && (protocol === "https:" || (protocol === "http:" && local));
}

const body = v.object({
  apiKey: v.optional(
    v.pipe(text, v.trim(), v.regex(/^[\u0020-\u00ff]{0,500}$/u, "expected a key of Latin characters without line breaks")),
  ),
  baseURL: v.optional(
    v.pipe(
      text,
      v.trim(),
      v.transform(withScheme),
      v.check(isBaseURL, "expected an https: address, or an http: one of this machine (localhost)"),
    ),
  ),
  model: v.optional(v.pipe(text, v.trim(), v.check(isModelName, "expected a model's id"))),
});

/** A provider's settings. A key goes in and never comes out. */
export function providerRoutes(app: Hono, { providers }: RouteContext): void {
  route(app, "/provider/:name", {
    GET: async ({ param }) => {
      const answer = providers.answer(param("name"));
      return answer ? json(answer) : failure(404, "Provider not found");
    },
    PUT: async ({ param, request }) => {
      if (!providers.answer(param("name"))) return failure(404, "Provider not found");
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      const { apiKey, baseURL, model } = parsed.value;
      const answer = await providers.change(param("name"), {
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(model === undefined ? {} : { model }),
      });
      return json(answer);
    },
  });

  route(app, "/provider/:name/models", {
    GET: async ({ param, request }) => {
      const list = await providers.models(param("name"), request.signal);
      if (!list) return failure(404, "Provider not found");
      return list.ok ? json({ models: list.models } satisfies ModelsAnswer) : failure(502, list.message);
    },
  });
}
