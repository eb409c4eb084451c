import type { BackgroundView } from "../../protocol/index.ts";
import type { RunOutcome } from "../../shell/sandbox.ts";
import type { BackgroundLog } from "./background-log.ts";

export interface Background extends Omit<BackgroundView, "state" | "exitCode"> {
  readonly dialogId: string;
  readonly log: BackgroundLog;
  readonly stop: AbortController;
  /** Settles at its end; never rejects. */
  ended: Promise<void>;
  /** null while it runs. */
  outcome: Pick<RunOutcome, "exitCode" | "limit" | "aborted" | "ms"> | null;
  /** Milliseconds that it may run. */
  readonly mostMs: number;
}
