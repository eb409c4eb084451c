export const startOllama = (page: string) => `Runs on this device, no key needed. Start it with OLLAMA_ORIGINS=${page} to allow this page.`;
export const startLmStudio = "Runs on this device, no key needed. Turn on CORS in its server settings to allow this page.";
export const startLlamaCpp = "Runs on this device, no key needed. Start llama-server; it allows this page by default.";
export const startVllm = (page: string) =>
  `Runs on this device, no key needed. Start it with --allowed-origins '["${page}"]' to allow this page.`;
export const anotherServer = "Any OpenAI-compatible server that allows this page (CORS). Leave the key empty if it doesn't need one.";
