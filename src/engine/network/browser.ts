import type { AgentsParts } from "../agents.ts";
import { systemDeps } from "../providers/deps.ts";
import { frameFollow } from "./follow.ts";
import { fetchSend } from "./send.ts";

/** Network access from a browser's worker. `openFrame` passes a port to a frame of the page. */
export function browserOutside(ownOrigin: string, openFrame: (port: MessagePort) => void): NonNullable<AgentsParts["outside"]> {
  return { send: fetchSend(systemDeps), follow: frameFollow({ openFrame, timers: systemDeps.timers }), ownOrigin };
}
