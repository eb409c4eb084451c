import type { ModelsAnswer } from "../../protocol/index.ts";
import { failure, json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { route, type Routes } from "./route.ts";

/** A provider's settings. A key is only received and never sent back. */
export function providerRoutes(app: Routes, { providers, bus }: RouteContext): void {
  route(app, "/provider/:name", {
    GET: async ({ param }) => {
      const answer = providers.answer(param("name"));
      return answer ? json(answer) : failure(404, "Provider not found");
    },
    PUT: async ({ param, request }) => {
      if (!providers.answer(param("name"))) return failure(404, "Provider not found");
      // The checks are loaded with the first body, because nothing else in the first load needs them.
      const { readSettings } = await import("./bodies.ts");
      const parsed = await readSettings(request);
      if (!parsed.ok) return parsed.answer;
      const { apiKey, baseURL, model } = parsed.value;
      const answer = await providers.change(param("name"), {
        ...(apiKey === undefined ? {} : { apiKey }),
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(model === undefined ? {} : { model }),
      });
      // The new address may need no key.
      if (baseURL !== undefined) bus.emit({ type: "keys", data: {} });
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
