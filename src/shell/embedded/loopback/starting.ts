import type { Network } from "../../network.ts";
import type { ListeningServer } from "../../sandbox.ts";
import type { Timers } from "../../timers.ts";
import { ownPort } from "./fetch.ts";

/** Milliseconds in which a command in the background that will listen does so. */
const startsWithin = 60_000;

/** The commands in the background that may be servers which do not listen yet. */
export interface Starting {
  begins(session: string, id: string): void;
  ends(session: string, id: string): void;
  /** The same network, but no one is asked about a port that such a command of the session may be about to listen on. */
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
      // The shell looked before it listened.
      const listensNow = servers().some((server) => server.session === session && server.port === port);
      if (port === null || (!listensNow && !isOneStarting(session))) return network(request, context);
      return { kind: "failed", why: `nothing listens on port ${port} of this dialog yet; a command in the background is starting` };
    },
  };
}
