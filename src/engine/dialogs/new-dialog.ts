import type { DialogAgent } from "../../dialog/agent.ts";
import type { Fork } from "./fork-point.ts";

export interface NewDialog {
  readonly provider: string;
  readonly model: string;
  readonly slug: string;
  /** null: an empty dialog that waits for its first word. */
  readonly prompt: string | null;
  readonly launchedBy: string | null;
  /** The agent that a file defines; null or left out: Vibey's usual one. */
  readonly agent?: DialogAgent | null;
  /** The dialog that this one continues from. */
  readonly continuedFrom?: string;
  /** What it takes along from another dialog. */
  readonly fork?: Fork;
}
