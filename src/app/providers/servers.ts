import * as t from "../texts/servers.ts";

/** Servers that use OpenAI's protocol, and what the user has to know about each. */
export interface Server {
  readonly name: string;
  readonly address: string;
  /** What to do before the server answers a page of this origin; null if nothing. */
  readonly hint: ((page: string) => string) | null;
}

export const servers: readonly Server[] = [
  { name: "OpenAI", address: "https://api.openai.com/v1", hint: null },
  { name: "OpenRouter", address: "https://openrouter.ai/api/v1", hint: null },
  { name: "Groq", address: "https://api.groq.com/openai/v1", hint: null },
  { name: "Mistral", address: "https://api.mistral.ai/v1", hint: null },
  { name: "Gemini", address: "https://generativelanguage.googleapis.com/v1beta/openai", hint: null },
  { name: "xAI", address: "https://api.x.ai/v1", hint: null },
  {
    name: "Ollama",
    address: "http://localhost:11434",
    hint: t.startOllama,
  },
  {
    name: "LM Studio",
    address: "http://localhost:1234",
    hint: () => t.startLmStudio,
  },
  { name: "llama.cpp", address: "http://localhost:8080", hint: () => t.startLlamaCpp },
  {
    name: "vLLM",
    address: "http://localhost:8000",
    hint: t.startVllm,
  },
];

/** The address in a form for comparison: without a trailing slash or version. */
const bare = (address: string) =>
  address.trim().toLowerCase().replace("//127.0.0.1", "//localhost").replace(/\/+$/, "").replace(/\/v1$/, "");

/** The well-known server at an address; null for any other. */
export const serverAt = (address: string): Server | null => servers.find((server) => bare(server.address) === bare(address)) ?? null;

/** Whether the server at an address is known to need no key. */
export const wantsNoKey = (address: string) => serverAt(address)?.address.startsWith("http:") === true;

/** What the user has to know about the server at an address, in words. */
export function addressHint(address: string, page: string): string {
  const known = serverAt(address);
  if (known !== null) return known.hint?.(page) ?? "";
  if (!URL.canParse(address)) return "";
  return t.anotherServer;
}

/** The name of the OpenAI provider for an address: the server's name, or its host. */
export function serverName(address: string): string {
  return serverAt(address)?.name ?? (URL.canParse(address) ? new URL(address).host : "OpenAI");
}
