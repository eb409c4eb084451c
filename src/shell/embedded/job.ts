import type { Context } from "./commands/answer.ts";
import type { Interpreter } from "./running-script.ts";
import type { ShellFrame } from "./shell-frames.ts";
import type { Signal } from "./spans.ts";

export interface Job {
  /** Within its shell. */
  readonly number: number;
  readonly pid: number;
  /** As it was written. */
  readonly text: string;
  /** The shell that began it. */
  readonly owner: ShellFrame | null;
  readonly done: Promise<void>;
  /** null while it runs. */
  outcome: { readonly stdout: string; readonly stderr: string; readonly exitCode: number } | null;
  /** Its output was printed, or it was killed. */
  told: boolean;
  /** A signal other than KILL. */
  send(signal: Signal): void;
  /** Ends it now; what it printed is lost, but for files. */
  kill(exitCode: number): void;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What the commands of jobs can ask. */
export interface JobList {
  /** In the order in which they began. */
  all(): readonly Job[];
  /** null: there are too many already, and all were stopped. */
  start(body: number, interpreter: Interpreter, context: Context): Job | null;
}

/** What a job printed that was not printed yet. */
export function tell(job: Job): Printed {
  if (job.told || job.outcome === null) return { stdout: "", stderr: "" };
  job.told = true;
  return job.outcome;
}
