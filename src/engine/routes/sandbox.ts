import type { Hono } from "hono/tiny";
import type { SandboxAnswer } from "../api.ts";
import { json } from "./answers.ts";
import { route } from "./route.ts";

/** What agents' commands run in, as the model is told. */
export function sandboxRoutes(app: Hono, about: string): void {
  route(app, "/sandbox", { GET: async () => json({ about } satisfies SandboxAnswer) });
}
