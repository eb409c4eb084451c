import type { Context } from "./commands/answer.ts";
import type { Interpreter } from "./running-script.ts";
import type { ShellFrame } from "./shell-frames.ts";
import type { Signal } from "./spans.ts";

export interface Job {
  /** The job's number in its shell. */
  readonly number: number;
  readonly pid: number;
  /** The command as written. */
  readonly text: string;
  /** The shell that started it. */
  readonly owner: ShellFrame | null;
  readonly done: Promise<void>;
  /** Null while it runs. */
  outcome: { readonly stdout: string; readonly stderr: string; readonly exitCode: number } | null;
  /** Its output was printed, or it was killed. */
  told: boolean;
  /** Sends a signal other than KILL. */
  send(signal: Signal): void;
  /** Ends it now. Its output is lost, except in files. */
  kill(exitCode: number): void;
}

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** What the commands of jobs can ask. */
export interface JobList {
  /** In the order in which they started. */
  all(): readonly Job[];
  /** Null: there are too many already, and all were stopped. */
  start(body: number, interpreter: Interpreter, context: Context): Job | null;
}

/** Returns what a job has printed and was not told yet. */
export function tell(job: Job): Printed {
  if (job.told || job.outcome === null) return { stdout: "", stderr: "" };
  job.told = true;
  return job.outcome;
}
