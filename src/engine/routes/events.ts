import type { EngineEvent } from "../../protocol/index.ts";
import type { RouteContext } from "./context.ts";
import { route, type Routes } from "./route.ts";
import { followStream } from "./sse.ts";

/** What happens in the engine. A reader who starts, or who was too slow, reads `hello`: everything may have changed. */
export function eventRoutes(app: Routes, { bus }: RouteContext): void {
  route(app, "/events", {
    GET: () =>
      followStream<EngineEvent>({
        start: () => [{ type: "hello" }],
        watch: (changed) => bus.listen((event) => changed([event])),
      }),
  });
}
