import type { CustomCommand, IFileSystem } from "just-bash/browser";
import type { CommonHost } from "./host.ts";
import type { CallAround } from "./watcher.ts";

/** The files of a shell, with what the shell needs in addition to just-bash's interface. */
export interface Disk extends IFileSystem {
  /** The changes refused since the last call, one line each. */
  takeRefused(): readonly string[];
  /** For wrapper commands: the current number of refusals. */
  refusedCount(): number;
  /** Call it before each command. */
  beginCommand(): void;
  isFolder(path: string): boolean;
  // just-bash checks for these two to create /bin, /dev and /proc.
  mkdirSync(path: string): void;
  writeFileSync(path: string, content: string | Uint8Array): void;
}

/** What differs between the shells: the location, and what can run there. */
export interface Machine {
  /** The absolute path of the project's folder. Commands start there, and also run there if their working directory is gone. */
  readonly project: string;
  /** Variables that are exported at the start of every command, whatever its session exported. */
  readonly env: Readonly<Record<string, string>>;
  /** Our own commands, which complement or replace just-bash's. */
  commands(host: CommonHost): readonly CustomCommand[];
  /** What to do instead of a command that is missing here; null if nothing is known. */
  reasonNotHere(name: string): string | null;
  /** Handles programs that are not shell commands. Missing: there are none. */
  readonly around?: CallAround;
}
