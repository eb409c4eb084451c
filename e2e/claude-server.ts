import { type ClaudeStandIn, startClaude, type StandInOptions } from "../tests/stand-in/claude.ts";
import { test as base } from "./app.ts";

/** The app with any number of stand-ins for the Messages API, which are closed after the test. */
export const test = base.extend<{ start: (options?: StandInOptions) => Promise<ClaudeStandIn> }>({
  // oxlint-disable-next-line no-empty-pattern -- the runner wants a pattern
  async start({}, use) {
    const started: ClaudeStandIn[] = [];
    await use(async (options) => {
      const server = await startClaude(options);
      started.push(server);
      return server;
    });
    for (const server of started) await server.close();
  },
});
