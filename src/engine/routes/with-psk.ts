import type { RouteContext } from "./context.ts";
import type { Handler } from "./route.ts";
import { detail } from "./session-bodies.ts";

/** Requires the key, even from the page. */
export function withPsk({ gateway }: Pick<RouteContext, "gateway">): (answer: Handler) => Handler {
  return (answer) => async (call) => {
    switch (await (await gateway()).check(call.request)) {
      case "right":
        return answer(call);
      case "wrong":
        return detail(401, "Unauthorized");
      case "often":
        return detail(429, "Too many wrong keys. Try again in a minute.", { "retry-after": "60" });
      case "unset":
        return detail(503, "No key is set. In Vibey, open Settings, Bridge, and connect.");
    }
  };
}
