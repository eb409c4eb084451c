/** Servers that speak OpenAI's wire, and what a person has to know of each. */
export interface Server {
  readonly name: string;
  readonly address: string;
  /** What to do before it answers; null when there is nothing. `<page>` stands for this page's own origin. */
  readonly hint: string | null;
}

const onThisDevice = (how: string) => `Runs on this device and needs no key. ${how}`;

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
    hint: onThisDevice("Start it with OLLAMA_ORIGINS=<page> so that it allows this page."),
  },
  {
    name: "LM Studio",
    address: "http://localhost:1234",
    hint: onThisDevice("Switch on CORS in its server settings so that it allows this page."),
  },
  { name: "llama.cpp", address: "http://localhost:8080", hint: onThisDevice("Start llama-server; it allows this page by itself.") },
  {
    name: "vLLM",
    address: "http://localhost:8000",
    hint: onThisDevice(`Start it with --allowed-origins '["<page>"]' so that it allows this page.`),
  },
];

/** The address as servers compare: without a slash or the version at its end. */
const bare = (address: string) =>
  address.trim().toLowerCase().replace("//127.0.0.1", "//localhost").replace(/\/+$/, "").replace(/\/v1$/, "");

/** The well-known server at an address; null for another one. */
export const serverAt = (address: string): Server | null => servers.find((server) => bare(server.address) === bare(address)) ?? null;

/** Whether the server at an address is known to want no key. */
export const wantsNoKey = (address: string) => serverAt(address)?.address.startsWith("http:") === true;

/** What a person has to know of the server at an address, in words. */
export function addressHint(address: string, page: string): string {
  const known = serverAt(address);
  if (known !== null) return known.hint?.replaceAll("<page>", page) ?? "";
  if (!URL.canParse(address)) return "";
  return "Another server: it must speak OpenAI's wire and allow this page (CORS). If it needs no key, leave the key empty.";
}

/** What the provider that speaks OpenAI's wire is called when it is reached at an address: the server's name, or its host. */
export function serverName(address: string): string {
  return serverAt(address)?.name ?? (URL.canParse(address) ? new URL(address).host : "OpenAI");
}
