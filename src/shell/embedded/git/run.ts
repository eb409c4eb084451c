import type { GitShell, Overrides, Repository } from "./repository.ts";

/** A call of git. */
export interface Run {
  readonly shell: GitShell;
  readonly overrides: Overrides;
  /** The arguments after the command's name, as typed. */
  readonly words: readonly string[];
  /** The repository. If there is none, the command ends with git's message. */
  repository(): Promise<Repository>;
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  err(text: string): void;
}

/** Runs with the arguments after the command's name and returns the exit code. May throw `Stop`. */
export type GitCommand = (run: Run, args: readonly string[]) => Promise<number>;
