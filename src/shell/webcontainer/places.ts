import type { Place } from "../embedded/one-command.ts";
import type { RunOptions } from "../sandbox.ts";
import type { ScriptEnding, ScriptRun } from "./run-script.ts";

/** The working directory and the exported variables of each session. */
export interface Places {
  /** The message that tells the shell what to run. `folder`: where a session begins. `shown`: how many UTF-16 units are shown while it runs. */
  toRun(command: string, options: Pick<RunOptions, "session" | "timeoutMs" | "maxBytes">, folder: string, shown: number): ScriptRun["run"];
  /** Stores the state in which a command has left its session. */
  keep(session: string, ended: ScriptEnding): void;
}

export function createPlaces(): Places {
  const places = new Map<string, Place>();
  return {
    toRun(command, { session, timeoutMs, maxBytes }, folder, shown) {
      const place = places.get(session) ?? { folder, env: {} };
      return { type: "run", command, ...place, timeoutMs, maxBytes, liveCharacters: shown };
    },
    keep(session, ended) {
      if (ended.kind === "done") places.set(session, { folder: ended.done.folder, env: ended.done.env });
    },
  };
}
