import { Hono } from "hono/tiny";
import type { RouteContext } from "./routes/context.ts";
import { deedRoutes } from "./routes/deed.ts";
import { answerErrors } from "./routes/errors.ts";
import { eventRoutes } from "./routes/events.ts";
import { fileRoutes } from "./routes/files.ts";
import type { KeyRoutes } from "./routes/keys.ts";
import { projectRoutes } from "./routes/project.ts";
import { providerRoutes } from "./routes/provider.ts";

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
  let keys: Promise<KeyRoutes> | undefined;
  const toKeys = async (request: Request) => {
    keys ??= import("./routes/keys.ts")
      .then(({ keyRoutes }) => keyRoutes(context, report))
      .catch((error: unknown) => {
        keys = undefined;
        throw error;
      });
    return (await keys)(request);
  };
  for (const path of ["/keys", "/keys/*"]) app.all(path, ({ req }) => toKeys(req.raw));
  const toAgents = async (request: Request) => (await context.agents()).fetch(request);
  for (const path of ["/dialogs", "/dialog", "/dialog/*", "/limits", "/sandbox"]) app.all(path, ({ req }) => toAgents(req.raw));
  for (const path of ["/history", "/history/*"]) app.all(path, ({ req }) => context.history.fetch(req.raw));
  answerErrors(app, report);
  return async (request) => app.fetch(request);
}
