import type { LiveFrame } from "../../protocol/index.ts";
import type { RouteContext } from "./context.ts";
import { type Fetch, route, type Routes } from "./route.ts";
import { followStream } from "./sse.ts";

/**
 * Live events of the engine. A reader that has just started, or was too slow, gets `hello`: everything may have changed. With `since`, `log`
 * answers with the project's events from there on.
 */
export function eventRoutes(app: Routes, { bus }: Pick<RouteContext, "bus">, log: Fetch): void {
  route(app, "/events", {
    GET: ({ request, url }) =>
      url.searchParams.has("since")
        ? log(request)
        : followStream<LiveFrame>({
            start: () => [{ type: "hello" }],
            watch: (changed) => bus.listen((event) => changed([{ type: "live", event }])),
          }),
  });
}
