import { type OpenAiOptions, type OpenAiStandIn, startOpenAi } from "../tests/stand-in/openai.ts";
import { test as base } from "./app.ts";

/** The app with any number of stand-ins for OpenAI's APIs, which are closed after the test. */
export const test = base.extend<{ startOpenAi: (options?: OpenAiOptions) => Promise<OpenAiStandIn> }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async startOpenAi({}, use) {
    const started: OpenAiStandIn[] = [];
    await use(async (options) => {
      const server = await startOpenAi(options);
      started.push(server);
      return server;
    });
    for (const server of started) await server.close();
  },
});
