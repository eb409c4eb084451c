import type { Hono } from "hono/tiny";
import type { Dialogs } from "../dialogs/dialogs.ts";
import { json } from "./answers.ts";
import { route } from "./route.ts";

/** What holds agents back, and how much of it is used. */
export function limitRoutes(app: Hono, dialogs: Pick<Dialogs, "limits">): void {
  route(app, "/limits", { GET: async () => json(await dialogs.limits()) });
}
