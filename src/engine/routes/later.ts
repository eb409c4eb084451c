import type { RouteContext } from "./context.ts";
import { forwardRoutes } from "./forward-routes.ts";
import { loadedOnce } from "./loaded-once.ts";
import { createRoutes, type Fetch } from "./route.ts";

/** The calls whose code is not loaded with the engine. Nor is the table of their paths: this file is loaded with the first of them. */
export function laterRoutes(context: RouteContext, log: Fetch, report: (error: unknown) => void): Fetch {
  const app = createRoutes(report);
  forwardRoutes(
    app,
    "keys",
    loadedOnce(async () => (await import("./keys.ts")).keyRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "search",
    loadedOnce(async () => (await import("./search.ts")).searchRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "demo",
    loadedOnce(async () => (await import("./demo.ts")).demoRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "move",
    loadedOnce(async () => (await import("./move.ts")).moveRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "definitions",
    loadedOnce(async () => (await import("./agents.ts")).agentRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "sessions",
    loadedOnce(async () => (await import("./sessions.ts")).sessionRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "assist",
    loadedOnce(async () => (await import("./assist.ts")).assistRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "bridge",
    loadedOnce(async () => (await import("./bridge.ts")).bridgeRoutes(context, report)),
  );
  forwardRoutes(
    app,
    "outside",
    loadedOnce(async () => (await import("./outside.ts")).outsideRoutes(context, report)),
  );
  forwardRoutes(app, "log", log);
  forwardRoutes(app, "agents", async (request) => (await context.agents()).fetch(request));
  forwardRoutes(app, "history", (request) => context.history.fetch(request));
  return app.fetch;
}
