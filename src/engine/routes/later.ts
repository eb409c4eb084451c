import type { RouteContext } from "./context.ts";
import { handOn } from "./forward.ts";
import { loadedOnce } from "./loaded-once.ts";
import { createRoutes, type Fetch } from "./route.ts";

/** The calls whose code is not loaded with the engine. Nor is the table of their paths: this file is loaded with the first of them. */
export function laterRoutes(context: RouteContext, log: Fetch, report: (error: unknown) => void): Fetch {
  const app = createRoutes(report);
  handOn(
    app,
    "keys",
    loadedOnce(async () => (await import("./keys.ts")).keyRoutes(context, report)),
  );
  handOn(
    app,
    "search",
    loadedOnce(async () => (await import("./search.ts")).searchRoutes(context, report)),
  );
  handOn(
    app,
    "demo",
    loadedOnce(async () => (await import("./demo.ts")).demoRoutes(context, report)),
  );
  handOn(
    app,
    "move",
    loadedOnce(async () => (await import("./move.ts")).moveRoutes(context, report)),
  );
  handOn(
    app,
    "definitions",
    loadedOnce(async () => (await import("./agents.ts")).agentRoutes(context, report)),
  );
  handOn(
    app,
    "sessions",
    loadedOnce(async () => (await import("./sessions.ts")).sessionRoutes(context, report)),
  );
  handOn(
    app,
    "assist",
    loadedOnce(async () => (await import("./assist.ts")).assistRoutes(context, report)),
  );
  handOn(
    app,
    "bridge",
    loadedOnce(async () => (await import("./bridge.ts")).bridgeRoutes(context, report)),
  );
  handOn(
    app,
    "outside",
    loadedOnce(async () => (await import("./outside.ts")).outsideRoutes(context, report)),
  );
  handOn(app, "log", log);
  handOn(app, "agents", async (request) => (await context.agents()).fetch(request));
  handOn(app, "history", (request) => context.history.fetch(request));
  return app.fetch;
}
