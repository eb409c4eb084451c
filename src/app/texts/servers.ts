export const startOllama = (page: string) =>
  `Runs on this device and needs no key. Start it with OLLAMA_ORIGINS=${page} so that it allows this page.`;
export const startLmStudio = "Runs on this device and needs no key. Switch on CORS in its server settings so that it allows this page.";
export const startLlamaCpp = "Runs on this device and needs no key. Start llama-server; it allows this page by itself.";
export const startVllm = (page: string) =>
  `Runs on this device and needs no key. Start it with --allowed-origins '["${page}"]' so that it allows this page.`;
export const anotherServer =
  "Another server: it must speak OpenAI's wire and allow this page (CORS). If it needs no key, leave the key empty.";
