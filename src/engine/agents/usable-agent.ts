import type { DialogAgent } from "../../dialog/agent.ts";

/** One of the user's agents that can be started: its file is active. */
export interface UsableAgent {
  readonly agent: DialogAgent;
  /** The model that its file names: `provider/id`, an id or a family. Null if it names none. */
  readonly model: string | null;
  /** The number of messages that it is told when mentioned. Null means the default. */
  readonly context: number | "all" | null;
}
