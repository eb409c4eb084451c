import type { Fork } from "./fork-point.ts";

export interface NewDialog {
  readonly provider: string;
  readonly model: string;
  readonly slug: string;
  /** null: an empty dialog that waits for its first word. */
  readonly prompt: string | null;
  readonly launchedBy: string | null;
  /** The dialog that this one continues from. */
  readonly continuedFrom?: string;
  /** What it takes along from another dialog. */
  readonly fork?: Fork;
}
