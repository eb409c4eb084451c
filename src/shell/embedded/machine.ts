import type { CustomCommand, IFileSystem } from "just-bash/browser";
import type { CommonHost } from "./host.ts";
import type { CallAround } from "./interpreter.ts";

/** The files of a shell, with what the shell itself asks of them beside just-bash's interface. */
export interface Disk extends IFileSystem {
  /** What was refused since `takeRefused` was last called, one line each. */
  takeRefused(): readonly string[];
  /** For wrappers: how many refusals are listed now. */
  refusedCount(): number;
  /** Before a command. */
  beginCommand(): void;
  isFolder(path: string): boolean;
  // just-bash looks for these two to lay out /bin, /dev and /proc.
  mkdirSync(path: string): void;
  writeFileSync(path: string, content: string | Uint8Array): void;
}

/** What differs between the shells: where it is, and what can be run there. */
export interface Machine {
  /** The project's folder, absolute: where commands start, and where one runs whose working directory is gone. */
  readonly project: string;
  /** What is exported at the start of every command, whatever its session exported. */
  readonly env: Readonly<Record<string, string>>;
  /** Our own commands, in addition to just-bash's and instead of some of them. */
  commands(host: CommonHost): readonly CustomCommand[];
  /** What to do instead of a command that is not here; null: nothing is known of it. */
  reasonNotHere(name: string): string | null;
  /** Programs that are no commands of the shell. Missing: there are none. */
  readonly around?: CallAround;
}
