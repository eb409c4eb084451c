import { pathsOf, type RoutePart } from "../../protocol/routes.ts";
import { add, type Fetch, type Routes } from "./route.ts";

/** Forwards every request of a route part. */
export function forwardRoutes(routes: Routes, part: RoutePart, fetch: Fetch): void {
  for (const path of pathsOf(part)) add(routes, path, ({ request }) => fetch(request));
}
