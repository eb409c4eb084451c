import { Hono } from "hono/tiny";
import { failure } from "./routes/answers.ts";
import type { RouteContext } from "./routes/context.ts";
import { deedRoutes } from "./routes/deed.ts";
import { dialogRoutes } from "./routes/dialogs.ts";
import { fileRoutes } from "./routes/files.ts";
import { projectRoutes } from "./routes/project.ts";
import { providerRoutes } from "./routes/provider.ts";
import { streamRoutes } from "./routes/streams.ts";

/**
 * Request in, Response out: everything a screen can do (see `api.ts`). Paths are under the app's base. No input makes it
 * throw; a mistake of ours is answered with 500 and reported.
 */
export function createRouter(context: RouteContext, report: (error: unknown) => void): (request: Request) => Promise<Response> {
  const app = new Hono();
  fileRoutes(app, context);
  dialogRoutes(app, context);
  streamRoutes(app, context);
  deedRoutes(app, context);
  projectRoutes(app, context);
  providerRoutes(app, context);
  app.notFound(() => failure(404, "Not found"));
  app.onError((error) => {
    report(error);
    return failure(500, `Vibey failed: ${error.message}`);
  });
  return async (request) => app.fetch(request);
}
