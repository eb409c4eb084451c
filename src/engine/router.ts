import { Hono } from "hono/tiny";
import { pathsOf, type RoutePart } from "../protocol/routes.ts";
import type { RouteContext } from "./routes/context.ts";
import { deedRoutes } from "./routes/deed.ts";
import { answerErrors } from "./routes/errors.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { projectRoutes } from "./routes/project.ts";
import { providerRoutes } from "./routes/provider.ts";

type Fetch = (request: Request) => Promise<Response>;

/**
 * Request in, Response out: everything a screen can do (see `protocol/routes.ts`). Paths are under the app's base. No input makes it
 * throw; a mistake of ours is answered with 500 and reported.
 */
export function createRouter(context: RouteContext, report: (error: unknown) => void): (request: Request) => Promise<Response> {
  const app = new Hono();
  fileRoutes(app, context);
  eventRoutes(app, context);
  deedRoutes(app, context);
  projectRoutes(app, context, report);
  providerRoutes(app, context);
  handOn(
    "keys",
    loadedOnce(async () => (await import("./routes/keys.ts")).keyRoutes(context, report)),
  );
  handOn(
    "search",
    loadedOnce(async () => (await import("./routes/search.ts")).searchRoutes(context, report)),
  );
  handOn(
    "move",
    loadedOnce(async () => (await import("./routes/move.ts")).moveRoutes(context, report)),
  );
  handOn("agents", async (request) => (await context.agents()).fetch(request));
  handOn("history", (request) => context.history.fetch(request));
  answerErrors(app, report);
  return async (request) => app.fetch(request);

  function handOn(part: RoutePart, fetch: Fetch): void {
    for (const path of pathsOf(part)) app.all(path, ({ req }) => fetch(req.raw));
  }
}

/** Routes whose code is loaded with the first call of them. */
function loadedOnce(load: () => Promise<Fetch>): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (request) => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return (await loading)(request);
  };
}
