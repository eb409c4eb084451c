import { failure, json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { forwardRoutes } from "./forward-routes.ts";
import { loadedOnce } from "./loaded-once.ts";
import { createRoutes, type Fetch } from "./route.ts";

/** The requests whose code is not loaded with the engine. The table of their paths isn't either: this file is loaded with the first of them. */
export function laterRoutes(context: RouteContext, log: Fetch, report: (error: unknown) => void): Fetch {
  const app = createRoutes(report);
  app.missing = notFound;
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
  return async (request) =>
    request.method === "HEAD" && !new URL(request.url).pathname.endsWith(handsOver)
      ? headOf(await app.fetch(new Request(request, { method: "GET" })))
      : app.fetch(request);
}

/** The GET that isn't read-only: its messages count as delivered to the agent. */
const handsOver = "/v2/messages";

async function headOf(answer: Response): Promise<Response> {
  // No one would read a stream.
  await answer.body?.cancel();
  return new Response(null, { status: answer.status, headers: answer.headers });
}

/** In the format of the program that the path is for: a phone, an agent outside, or the page. */
function notFound({ url }: Request): Response {
  const { pathname } = new URL(url);
  const why = "Not found";
  if (/^\/(?:api|ws)(?:\/|$)/.test(pathname)) return json({ detail: why }, 404);
  if (/^\/(?:v2|event|hooks|k)(?:\/|$)/.test(pathname)) return json({ ok: false, error: why }, 404);
  return failure(404, why);
}
