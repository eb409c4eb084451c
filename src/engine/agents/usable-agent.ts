import type { DialogAgent } from "../../dialog/agent.ts";

/** An agent of the user's that can be started: its file is a doc, and says that it is active. */
export interface UsableAgent {
  readonly agent: DialogAgent;
  /** The model that its file names: `provider/id`, an id or a family; null: none. */
  readonly model: string | null;
  /** Messages that it is told of where it is mentioned; null: as many as usual. */
  readonly context: number | "all" | null;
}
