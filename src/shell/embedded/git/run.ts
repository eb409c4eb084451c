import type { GitShell, Overrides, Repository } from "./repository.ts";

/** One call of git. */
export interface Run {
  readonly shell: GitShell;
  readonly overrides: Overrides;
  /** The arguments after the command's name, as they were typed. */
  readonly words: readonly string[];
  /** The repository; the command ends with git's message when there is none. */
  repository(): Promise<Repository>;
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  err(text: string): void;
}

/** Runs with the arguments after the command's name; the answer is the exit code. `Stop` may be thrown. */
export type GitCommand = (run: Run, args: readonly string[]) => Promise<number>;
