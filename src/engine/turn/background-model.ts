import type { BackgroundView } from "../../protocol/index.ts";
import type { RunOutcome } from "../../shell/sandbox.ts";
import type { BackgroundLog } from "./background-log.ts";

export interface Background extends Omit<BackgroundView, "state" | "exitCode"> {
  readonly dialogId: string;
  readonly log: BackgroundLog;
  readonly stop: AbortController;
  /** Settles when the command ends. Never rejects. */
  ended: Promise<void>;
  /** Null while it runs. */
  outcome: Pick<RunOutcome, "exitCode" | "limit" | "aborted" | "ms"> | null;
  /** The time limit of the command, in milliseconds. */
  readonly mostMs: number;
}
