import type { Hono } from "hono/tiny";
import type { RouteContext } from "./context.ts";
import { route } from "./route.ts";

/** A snapshot of the project, out and in. */
export function projectRoutes(app: Hono, context: RouteContext, report: (error: unknown) => void): void {
  route(app, "/project.zip", {
    GET: async (call) => (await import("../project-zip/route-out.ts")).answerExport(call, context, report),
    POST: async (call) => (await import("../project-zip/route-in.ts")).answerImport(call, context, report),
  });
}
