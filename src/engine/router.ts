import { isForbiddenForAgents } from "./outside/agent-key.ts";
import { failure } from "./routes/answers.ts";
import type { RouteContext } from "./routes/context.ts";
import { deedRoutes } from "./routes/deed.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { loadedOnce } from "./routes/loaded-once.ts";
import { projectRoutes } from "./routes/project.ts";
import { providerRoutes } from "./routes/provider.ts";
import { createRoutes } from "./routes/route.ts";

/**
 * Takes a Request and returns a Response for everything a screen can do (see `protocol/routes.ts`). Paths are relative to the app's base. No
 * input makes it throw. An internal error is answered with 500 and reported.
 */
export function createRouter(context: RouteContext, report: (error: unknown) => void): (request: Request) => Promise<Response> {
  const app = createRoutes(report);
  fileRoutes(app, context);
  const log = loadedOnce(async () => (await import("./routes/log.ts")).logRoutes(context, report));
  eventRoutes(app, context, log);
  deedRoutes(app, context);
  projectRoutes(app, context, report);
  providerRoutes(app, context);
  const later = loadedOnce(async () => (await import("./routes/later.ts")).laterRoutes(context, log, report));
  app.missing = later;
  return async (request) =>
    isForbiddenForAgents(request.headers, new URL(request.url).pathname)
      ? failure(401, "An agent key opens /v2, /event and /hooks alone")
      : app.fetch(request);
}
