import type { Hono } from "hono/tiny";
import { failure } from "./answers.ts";

/** What no route answers, and what a route fails at: a mistake of ours is said and reported, and nothing is thrown. */
export function answerErrors(app: Hono, report: (error: unknown) => void): void {
  app.notFound(() => failure(404, "Not found"));
  app.onError((error) => {
    report(error);
    return failure(500, `Vibey failed: ${error.message}`);
  });
}
