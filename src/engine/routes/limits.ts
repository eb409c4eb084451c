import type { Dialogs } from "../dialogs/dialogs.ts";
import { json } from "./answers.ts";
import { route, type Routes } from "./route.ts";

/** What holds agents back, and how much of it is used. */
export function limitRoutes(app: Routes, dialogs: Pick<Dialogs, "limits">): void {
  route(app, "/limits", { GET: async () => json(await dialogs.limits()) });
}
