import * as v from "valibot";
import type { BridgeAnswer } from "../../protocol/index.ts";
import { failure, json } from "./answers.ts";
import { readBody, text } from "./body.ts";
import type { RouteContext } from "./context.ts";
import { createRoutes, type Fetch, route } from "./route.ts";

/** The bridge prints its address as `http:` or `https:`, and a browser may add a trailing slash. */
const toSocketAddress = (given: string): string =>
  given.replace(/^(?:http|ws)(s?)(?=:)/i, (_, s: string) => `ws${s.toLowerCase()}`).replace(/\/$/, "");

/** `ws:` is allowed only for this machine, because the proofs of the key and all messages must not be sent unencrypted over a network. */
function isBridgeAddress(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, hostname, pathname, search, hash, username } = new URL(given);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1";
  return (protocol === "wss:" || (protocol === "ws:" && isLocal)) && pathname === "/" && `${search}${hash}${username}` === "";
}

const body = v.object({
  key: v.optional(
    v.pipe(text, v.trim(), v.minLength(1, "expected the key of the bridge"), v.maxLength(500, "expected at most 500 characters")),
  ),
  address: v.optional(
    v.pipe(
      text,
      v.trim(),
      v.transform(toSocketAddress),
      v.check(isBridgeAddress, "expected wss:// or https:// and a host, or a port of this machine, such as ws://127.0.0.1:7870"),
    ),
  ),
  all: v.optional(v.boolean("expected true or false")),
  takeOver: v.optional(v.literal(true, "expected true")),
});

/** The state of the connection to the bridge, and its key. */
export function bridgeRoutes({ gateway }: Pick<RouteContext, "gateway">, report: (error: unknown) => void): Fetch {
  const app = createRoutes(report);
  const answer = async () => json((await gateway()).view() satisfies BridgeAnswer);
  route(app, "/bridge", {
    GET: answer,
    PUT: async ({ request }) => {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      const { key, address, all, takeOver } = parsed.value;
      const isKnown = await (await gateway()).set({
        ...(key === undefined ? {} : { key }),
        ...(address === undefined ? {} : { address }),
        ...(all === undefined ? {} : { all }),
        ...(takeOver === undefined ? {} : { takeOver }),
      });
      return isKnown ? answer() : failure(400, "key: expected the key of the bridge, because none is known");
    },
    DELETE: async () => {
      await (await gateway()).forget();
      return answer();
    },
  });
  return app.fetch;
}
