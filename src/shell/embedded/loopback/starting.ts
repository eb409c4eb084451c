import type { Network } from "../../network.ts";
import type { ListeningServer } from "../../sandbox.ts";
import type { Timers } from "../../timers.ts";
import { ownPort } from "./fetch.ts";

/** Milliseconds within which a background command starts to listen, if it is a server. */
const startsWithin = 60_000;

/** The background commands that may be servers but do not listen yet. */
export interface Starting {
  begins(session: string, id: string): void;
  ends(session: string, id: string): void;
  /**
   * Returns the same network, except that the user is not asked about a port on which one of the session's background commands may be about to
   * listen.
   */
  before(session: string, network: Network): Network;
}

export function createStarting(timers: Timers, servers: () => readonly ListeningServer[]): Starting {
  const begun = new Map<string, Map<string, number>>();

  function isOneStarting(session: string): boolean {
    return [...(begun.get(session) ?? [])].some(
      ([id, at]) =>
        timers.now() - at < startsWithin && !servers().some((server) => server.session === session && server.owner.background === id),
    );
  }

  return {
    begins: (session, id) => void begun.set(session, (begun.get(session) ?? new Map<string, number>()).set(id, timers.now())),
    ends: (session, id) => void begun.get(session)?.delete(id),
    before: (session, network) => async (request, context) => {
      const port = ownPort(request.url);
      // The shell checked the port before the server listened.
      const listensNow = servers().some((server) => server.session === session && server.port === port);
      if (port === null || (!listensNow && !isOneStarting(session))) return network(request, context);
      return { kind: "failed", why: `nothing listens on port ${port} of this dialog yet; a command in the background is starting` };
    },
  };
}
