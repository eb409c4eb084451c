import { Hono } from "hono/tiny";
import type { RouteContext } from "./routes/context.ts";
import { deedRoutes } from "./routes/deed.ts";
import { answerErrors } from "./routes/errors.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import { projectRoutes } from "./routes/project.ts";
import { providerRoutes } from "./routes/provider.ts";

type Fetch = (request: Request) => Promise<Response>;

/**
 * Request in, Response out: everything a screen can do (see `api.ts`). Paths are under the app's base. No input makes it
 * throw; a mistake of ours is answered with 500 and reported.
 */
export function createRouter(context: RouteContext, report: (error: unknown) => void): (request: Request) => Promise<Response> {
  const app = new Hono();
  fileRoutes(app, context);
  eventRoutes(app, context);
  deedRoutes(app, context);
  projectRoutes(app, context, report);
  providerRoutes(app, context);
  lazily(["/keys", "/keys/*"], async () => (await import("./routes/keys.ts")).keyRoutes(context, report));
  lazily(["/search"], async () => (await import("./routes/search.ts")).searchRoutes(context, report));
  lazily(["/demo"], async () => (await import("./routes/demo.ts")).demoRoutes(context, report));
  lazily(["/move"], async () => (await import("./routes/move.ts")).moveRoutes(context, report));
  const toAgents = async (request: Request) => (await context.agents()).fetch(request);
  for (const path of ["/dialogs", "/dialog", "/dialog/*", "/limits", "/sandbox", "/sandbox/*", "/prices", "/cost"])
    app.all(path, ({ req }) => toAgents(req.raw));
  for (const path of ["/history", "/history/*"]) app.all(path, ({ req }) => context.history.fetch(req.raw));
  answerErrors(app, report);
  return async (request) => app.fetch(request);

  /** Routes whose code is loaded with the first call of them. */
  function lazily(paths: readonly string[], load: () => Promise<Fetch>): void {
    let loading: Promise<Fetch> | undefined;
    const ask = async (request: Request) => {
      loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
      return (await loading)(request);
    };
    for (const path of paths) app.all(path, ({ req }) => ask(req.raw));
  }
}
