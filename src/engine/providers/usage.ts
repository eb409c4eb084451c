import { nanosOf } from "../cost/money.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { isObject } from "../prompt/json.ts";
import { isCount } from "./answer.ts";
import type { Usage } from "../cost/usage.ts";

/** The usage with what OpenAI-compatible servers report besides the counts. `details`: the field with the cached part of the input. */
export function countedUsage(input: number, output: number, reported: JsonObject, details: string): Usage {
  const parts = isObject(reported[details]) ? reported[details] : {};
  const read = parts["cached_tokens"] ?? reported["cached_tokens"] ?? reported["prompt_cache_hit_tokens"] ?? reported["num_cached_tokens"];
  const written = parts["cache_write_tokens"] ?? reported["cache_creation_input_tokens"];
  return usageOf(input, output, count(read), count(written), reported);
}

/** Leaves out cached tokens if there are none, and the cost if it wasn't reported. */
export function usageOf(input: number, output: number, cacheRead: number, cacheWrite: number, reported: JsonObject): Usage {
  const cost = reportedCost(reported);
  return {
    input,
    output,
    ...(cacheRead > 0 ? { cacheRead } : {}),
    ...(cacheWrite > 0 ? { cacheWrite } : {}),
    ...(cost === null ? {} : { cost }),
  };
}

function count(value: unknown): number {
  return isCount(value) ? value : 0;
}

/**
 * `cost` is in dollars (OpenRouter), or an object with the total and its parts (Perplexity). xAI reports ticks. With the user's own key at OpenRouter
 * (`is_byok`), `cost` is only its fee, and the provider's cost is in `cost_details`.
 */
function reportedCost({ cost, is_byok: ownKey, cost_details: details, cost_in_usd_ticks: ticks }: JsonObject): number | null {
  if (isObject(cost)) return nanosOf(cost["total_cost"]);
  if (typeof cost !== "number") return typeof ticks === "number" ? nanosOf(ticks / ticksPerDollar) : null;
  const behind = ownKey === true && isObject(details) ? details["upstream_inference_cost"] : null;
  return nanosOf(typeof behind === "number" ? cost + behind : cost);
}

const ticksPerDollar = 10_000_000_000;
