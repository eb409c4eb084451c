import { oversteps } from "./outside/agent-key.ts";
import { failure } from "./routes/answers.ts";
import type { RouteContext } from "./routes/context.ts";
import { deedRoutes } from "./routes/deed.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { projectRoutes } from "./routes/project.ts";
import { providerRoutes } from "./routes/provider.ts";
import { createRoutes, handOn, loadedOnce } from "./routes/route.ts";

/**
 * Request in, Response out: everything a screen can do (see `protocol/routes.ts`). Paths are under the app's base. No input makes it
 * throw; a mistake of ours is answered with 500 and reported.
 */
export function createRouter(context: RouteContext, report: (error: unknown) => void): (request: Request) => Promise<Response> {
  const app = createRoutes(report);
  fileRoutes(app, context);
  const log = loadedOnce(async () => (await import("./routes/log.ts")).logRoutes(context, report));
  eventRoutes(app, context, log);
  deedRoutes(app, context);
  projectRoutes(app, context, report);
  providerRoutes(app, context);
  handOn(
    app,
    "keys",
    loadedOnce(async () => (await import("./routes/keys.ts")).keyRoutes(context, report)),
  );
  handOn(
    app,
    "search",
    loadedOnce(async () => (await import("./routes/search.ts")).searchRoutes(context, report)),
  );
  handOn(
    app,
    "demo",
    loadedOnce(async () => (await import("./routes/demo.ts")).demoRoutes(context, report)),
  );
  handOn(
    app,
    "move",
    loadedOnce(async () => (await import("./routes/move.ts")).moveRoutes(context, report)),
  );
  handOn(
    app,
    "definitions",
    loadedOnce(async () => (await import("./routes/agents.ts")).agentRoutes(context, report)),
  );
  handOn(
    app,
    "sessions",
    loadedOnce(async () => (await import("./routes/sessions.ts")).sessionRoutes(context, report)),
  );
  handOn(
    app,
    "bridge",
    loadedOnce(async () => (await import("./routes/bridge.ts")).bridgeRoutes(context, report)),
  );
  handOn(
    app,
    "outside",
    loadedOnce(async () => (await import("./routes/outside.ts")).outsideRoutes(context, report)),
  );
  handOn(app, "log", log);
  handOn(app, "agents", async (request) => (await context.agents()).fetch(request));
  handOn(app, "history", (request) => context.history.fetch(request));
  return async (request) =>
    oversteps(request.headers, new URL(request.url).pathname)
      ? failure(401, "An agent key opens /v2, /event and /hooks alone")
      : app.fetch(request);
}
