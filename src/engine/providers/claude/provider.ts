import type { JsonObject } from "../../../dialog/model.ts";
import { isCount } from "../answer.ts";
import type { ProviderDeps } from "../deps.ts";
import type { Memory } from "../memory.ts";
import { factsKey, listModels, modelListing } from "../model-list.ts";
import type { Provider } from "../provider.ts";
import { errorAsData, withName } from "../sdk-events.ts";
import type { WireSettings } from "../target.ts";
import { fittedTokens, namedLimit } from "../tokens.ts";
import type { Wire } from "../wire.ts";
import { wireProvider } from "../wire-provider.ts";
import { defaultBaseURL, defaultModel } from "./defaults.ts";
import { loadLine } from "./transport.ts";
import { contextWindow, responseTokens } from "./models.ts";
import { claudeRequest } from "./request.ts";
import { eventsOfWhole, readResponse } from "./response.ts";

/** The Messages API. `settings` is called for each request. */
export function claudeProvider(settings: () => WireSettings, deps: ProviderDeps, memory: Memory): Provider {
  const listing = modelListing(memory, contextWindow);
  const wire: Wire = {
    name: "claude",
    title: "Claude",
    defaultBaseURL,
    tidy: (event) => withName(errorAsData(event)),
    load: loadLine,

    exchange(request, target) {
      const key = factsKey(target, request.model);
      /** The `max_tokens` that a refusal of this request allowed. */
      let named: number | null = null;
      /** What refusals taught. It is stored once the server has accepted a request that uses it. */
      let lessons: JsonObject = {};
      let asked = 0;
      const known = (): JsonObject => ({ ...memory.read(key), ...lessons });
      return {
        next() {
          const { maxTokens: limit, thinking } = known();
          const allowed = isCount(limit) ? limit : (responseTokens(request.model) ?? listing.output(target, request.model));
          const window = listing.window(target, request.model);
          asked = named ?? fittedTokens({ allowed, window, soFar: request.tokensSoFar, bound: request.maxTokens });
          return {
            path: "/v1/messages",
            body: claudeRequest(request, asked, thinking === false),
            reading: readResponse(),
            whole: (message) => (message["type"] === "message" ? eventsOfWhole(message) : null),
          };
        },
        learn({ status, said }) {
          if (status !== 400 || said === null) return false;
          if (!target.official && known()["thinking"] !== false && wantsThoughts(said)) {
            lessons = { ...lessons, thinking: false };
            return true;
          }
          const limit = named === null ? namedLimit(said, asked) : null;
          if (limit === null) return false;
          named = limit.tokens;
          if (!limit.passing) lessons = { ...lessons, ...(limit.window === null ? { maxTokens: limit.tokens } : { window: limit.window }) };
          return true;
        },
        taken() {
          if (Object.keys(lessons).length > 0) memory.write(key, known());
        },
      };
    },

    async list(line) {
      const models = await listModels(line, "/v1/models", { limit: 1000 }, "after_id");
      // The server lists the newest models first. Vibey's default model goes before them.
      return models.toSorted((a, b) => Number(b.id === defaultModel) - Number(a.id === defaultModel));
    },
  };
  return wireProvider(wire, settings, deps, listing);
}

/** Some servers (DeepSeek, Kimi) let their models think without being asked, and refuse a call without the thoughts before it. */
function wantsThoughts(said: string): boolean {
  return /thinking|reasoning_content/i.test(said) && /must be passed back|missing|expected `?thinking/i.test(said);
}
