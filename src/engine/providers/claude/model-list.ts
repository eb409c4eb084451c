import { isObject } from "../../history/json.ts";
import type { Client } from "./client.ts";
import { defaultModel } from "./models.ts";

/** At most so many pages: a server that always has more is broken. */
const mostPages = 20;

export async function listModels(client: Client): Promise<string[]> {
  const models = new Set<string>();
  let after: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const query: Record<string, unknown> = { limit: 1000, ...(after === null ? {} : { after_id: after }) };
    const answer: unknown = await client.get<unknown>("/v1/models", { query });
    if (!isObject(answer) || !Array.isArray(answer["data"])) throw new TypeError("no list");
    for (const entry of answer["data"]) {
      if (isObject(entry) && typeof entry["id"] === "string" && /^[A-Za-z0-9._:/-]{1,100}$/.test(entry["id"])) models.add(entry["id"]);
    }
    const last: unknown = answer["last_id"];
    if (answer["has_more"] !== true || typeof last !== "string" || last === after) break;
    after = last;
  }
  // The server lists the newest first; the one that Vibey knows best comes before them.
  return [...models].toSorted((a, b) => Number(b === defaultModel) - Number(a === defaultModel));
}
