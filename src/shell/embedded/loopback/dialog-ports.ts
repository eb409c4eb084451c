import type { NetAnswer, NetRequest } from "../../network.ts";
import type { ListeningServer, SandboxPorts, ServerOwner } from "../../sandbox.ts";
import type { Timers } from "../../timers.ts";
import { fetchFromPorts } from "./fetch.ts";
import { createPorts, type Ports } from "./ports.ts";

/** Milliseconds that a foreground command's server listens before it is shown: most belong to tests and are gone at once. */
const shownAfter = 2_000;

/** Minimum milliseconds between two notifications about changed servers. */
const tellApart = 250;

export interface DialogPorts extends SandboxPorts {
  /** The ports of a session for one worker. `owner` names the command that the worker runs. */
  of(session: string, owner: () => ServerOwner): Ports;
}

/** Creates the ports of each dialog, and keeps track of what listens on them. */
export function createDialogPorts(timers: Timers, now: () => Date = () => new Date()): DialogPorts {
  const all = new Map<string, Ports>();
  const servers = new Set<ListeningServer>();
  const listeners = new Set<() => void>();
  let isQuiet = false;
  let hasChanged = false;
  function changed(): void {
    hasChanged = true;
    if (isQuiet) return;
    hasChanged = false;
    isQuiet = true;
    timers.after(tellApart, () => {
      isQuiet = false;
      if (hasChanged) changed();
    });
    for (const listener of listeners) listener();
  }

  function portsOf(session: string): Ports {
    const known = all.get(session) ?? createPorts();
    all.set(session, known);
    return known;
  }

  /** Registers a listening server. Call the returned function when it stops listening. */
  function shown(server: ListeningServer): () => void {
    const show = (): void => {
      servers.add(server);
      changed();
    };
    let stopTimer = (): void => undefined;
    if (server.owner.background === null) stopTimer = timers.after(shownAfter, show);
    else show();
    return () => {
      stopTimer();
      if (servers.delete(server)) changed();
    };
  }

  return {
    of(session, owner) {
      const ports = portsOf(session);
      return {
        connect: (port, listener) => ports.connect(port, listener),
        async listen(wanted, accept) {
          const made = await ports.listen(wanted, accept);
          if (made === null) return null;
          const hide = shown({ session, port: made.port, owner: owner(), since: now().toISOString() });
          return {
            port: made.port,
            close() {
              made.close();
              hide();
            },
          };
        },
      };
    },
    servers: () => [...servers].toSorted((a, b) => a.port - b.port || (a.session < b.session ? -1 : 1)),
    listen: (listener) => void listeners.add(listener),
    fetch(session: string, request: NetRequest, signal: AbortSignal): Promise<NetAnswer | null> {
      const ports = all.get(session);
      return ports === undefined ? Promise.resolve(null) : fetchFromPorts(ports, request, signal);
    },
  };
}
