import { parseBaseURL } from "./base-url.ts";
import type { ProviderRegistry } from "./provider-registry.ts";

const titles: Readonly<Record<string, string>> = { claude: "Claude", openai: "OpenAI" };

/**
 * What an agent that comes back after a reload waits for before its provider is asked, in sentences; null: nothing, or there is no such provider.
 * Keys are in memory, so the key may have gone with the page. A server of one's own that needs none can't be told from one whose key is gone.
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
