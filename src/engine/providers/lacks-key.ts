import { parseBaseURL } from "./base-url.ts";
import type { ProviderRegistry } from "./provider-registry.ts";

const titles: Readonly<Record<string, string>> = { claude: "Claude", openai: "OpenAI" };

/**
 * Why an agent that continues after a reload must wait before it asks its provider, in sentences. Null: it needn't wait, or there is no such
 * provider. Keys are in memory, so a reload may lose the key. A user's own server that needs no key looks the same as one whose key is lost.
 */
export function lacksKey(providers: Pick<ProviderRegistry, "answer" | "defaultBaseURL">, name: string): string | null {
  const answer = providers.answer(name);
  if (answer === null || answer.configured) return null;
  const title = titles[name] ?? name;
  if (answer.key === "locked") return `Your ${title} key is locked. Once you unlock it in Settings, the agent continues on its own.`;
  const url = parseBaseURL(answer.baseURL);
  const missing = `No API key for ${title}. Once you add one in Settings, the agent continues on its own.`;
  if (!url.ok || url.base === providers.defaultBaseURL(name)) return missing;
  return `${missing} If ${url.host} needs none, stop the agent and continue it.`;
}
