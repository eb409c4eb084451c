import { isProjectId } from "../../protocol/project-name.ts";
import { failure, json } from "./answers.ts";
import type { RouteContext } from "./context.ts";
import { route, type Routes } from "./route.ts";

/** Exports and imports a snapshot of the project, and manages the list of projects. */
export function projectRoutes(app: Routes, context: RouteContext, report: (error: unknown) => void): void {
  route(app, "/project.zip", {
    GET: async (call) => (await import("../project/zip/route-out.ts")).answerExport(call, context, report),
    POST: async (call) => (await import("../project/zip/route-in.ts")).answerImport(call, context),
  });
  route(app, "/projects", { GET: async () => json(await context.projects.list()) });
  route(app, "/projects/:id", {
    PUT: async ({ param, request }) => {
      const { readProjectName } = await import("./bodies.ts");
      const parsed = await readProjectName(request);
      if (!parsed.ok) return parsed.answer;
      return (await context.projects.rename(param("id"), parsed.value.name)) ? json({ ok: true }) : failure(404, "Project not found");
    },
    DELETE: async ({ param }) => {
      const id = param("id");
      if (!isProjectId(id)) return failure(404, "Project not found");
      const outcome = await context.projects.remove(id);
      return outcome === "removed"
        ? json({ ok: true })
        : failure(409, "This project is open in another tab. Close that tab, then delete it.");
    },
  });
}
