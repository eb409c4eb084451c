import type { Dialogs } from "../dialogs/dialogs.ts";
import { json } from "./answers.ts";
import { route, type Routes } from "./route.ts";

/** The limits for agents, and how much of each is used. */
export function limitRoutes(app: Routes, dialogs: Pick<Dialogs, "limits">): void {
  route(app, "/limits", { GET: async () => json(await dialogs.limits()) });
}
