import type { FileEvent, FileStat } from "../fs/files.ts";
import type { Path } from "../fs/path.ts";
import type { NetAnswer, NetRequest, Network } from "./network.ts";

/**
 * Runs commands over a disposable copy of the project's files. The engine updates the copy before a command, and commits what the command changed
 * before it writes the command's result.
 *
 * - `run` never throws and always settles: when the command ends, after `timeoutMs`, or after `signal` aborts.
 * - Commands of different sessions may run at the same time, each over the files as they were when it began. Commands of one session run one after
 *   another.
 * - Output printed before a limit was reached is kept, and the outcome names the limit.
 * - A command gets no key, no handle of the store, and no network except the one in `RunOptions`.
 */
export interface Sandbox {
  run(command: string, options: RunOptions): Promise<RunOutcome>;
  /**
   * Runs a command in the background. Commands of `run` do not wait for it. It gets the session's current working directory and exported variables,
   * and keeps them. It sees what others change in the project while it runs. Missing: this sandbox can't.
   */
  readonly runInBackground?: (command: string, options: BackgroundOptions) => Promise<RunOutcome>;
  /** Milliseconds that a background command may run, now. Missing: the engine's limit applies. */
  readonly backgroundLimitMs?: () => number;
  /**
   * The words of each simple command, if the script consists of simple commands only: no computed word, no redirection, no variable assignment, no
   * program that runs another. The script is parsed the way the shell that would run it parses it. Null: this can't be said of this script. Missing:
   * it can't be said of any.
   */
  readonly simpleCommands?: (command: string) => Promise<readonly (readonly string[])[] | null>;
  /**
   * Called once: how to store changes that are found after the command that would have stored them has ended. Missing: this sandbox finds no such
   * changes.
   */
  readonly storeLateBy?: (store: StoreLate) => void;
  /** The ports on which its commands listen. Missing: this sandbox does not know them. */
  readonly ports?: SandboxPorts;
  dispose(): void;
}

/** A sandbox that can run commands in the background. */
export type EmbeddedSandbox = Sandbox & Required<Pick<Sandbox, "runInBackground">>;

/** The ports on which commands listen. A session's own commands can reach them, and so can callers that name the session here. */
export interface SandboxPorts {
  /** Sorted by port. */
  servers(): readonly ListeningServer[];
  /** Calls `listener` whenever the answer of `servers` changes. */
  listen(listener: () => void): void;
  /** Sends a request to a server of the session, at an address of the session's own machine. Null: nothing listens there. */
  fetch(session: string, request: NetRequest, signal: AbortSignal): Promise<NetAnswer | null>;
}

export interface ListeningServer {
  readonly session: string;
  readonly port: number;
  readonly owner: ServerOwner;
  /** ISO 8601. */
  readonly since: string;
}

/** The command that a server belongs to. `background`: the command's id if it runs in the background. */
export interface ServerOwner {
  readonly background: string | null;
  readonly command: string;
}

/**
 * `session`: the only session whose commands can have made these changes. Null: unknown, for example because several sessions ran commands. Awaited;
 * must not reject.
 */
export type StoreLate = (changes: readonly SandboxChange[], session: string | null) => Promise<void>;

export interface BackgroundOptions extends Omit<RunOptions, "commit" | "waits" | "begins" | "claim"> {
  /** The session's id for the command. */
  readonly id: string;
  /** Milliseconds between two checks for changes while it runs. */
  readonly commitEveryMs: number;
  /** Awaited; must not reject. Receives what changed since the last call, and at the end what is left. */
  readonly commitChanges: (changes: readonly SandboxChange[]) => Promise<void>;
}

export interface RunOptions {
  /** The dialog. The working directory is kept from one command of a session to the next. */
  readonly session: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** UTF-8 bytes of stdout, and of stderr. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Called once if the command has to wait for others. */
  readonly waits?: () => void;
  /** Called when the command's turn has come, before any project file is read for it. */
  readonly begins?: () => void;
  /** Awaited right before the shell gets the command; nothing of it has run yet. False: the command must not run. Must not reject. */
  readonly claim?: () => Promise<boolean>;
  /**
   * Awaited after the command: commit the changes here. No other command commits at the same time, and the session's next command starts afterwards.
   * Must not reject.
   */
  readonly commit?: (outcome: RunOutcome) => Promise<void>;
  /** Receives output while the command runs, as far as it is known early; only the outcome is authoritative. */
  readonly onOutput?: (output: LiveOutput) => void;
  /** Missing: there is no network. */
  readonly network?: Network;
  /** Runs the shell's command `background`. Missing: there is no background. */
  readonly background?: (operands: readonly string[], signal: AbortSignal) => Promise<Printed>;
}

/** The output of a shell command that the engine runs. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface LiveOutput {
  /** `progress`: a status line that replaces the previous one and is not part of the output. */
  readonly stream: "stdout" | "stderr" | "progress";
  readonly text: string;
}

export interface RunOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** The limit that ended the command or cut its output, if any. */
  readonly limit: "time" | "output" | null;
  readonly aborted: boolean;
  /** Wall time in milliseconds. */
  readonly ms: number;
  /** Every file whose content or existence differs from what the sandbox was given; `base` names the version it started from. */
  readonly changes: readonly SandboxChange[];
}

export interface SandboxChange {
  readonly path: Path;
  /** Null: the file was removed. */
  readonly bytes: Uint8Array | null;
  /** The version that the sandbox was given. Null: the file did not exist. */
  readonly base: number | null;
  /** The number of leading bytes that are unchanged: the file was only appended to. Missing: unknown. */
  readonly keeps?: number;
}

/** Read-only access to the project's files, with versions. */
export interface SandboxFiles {
  /** Calls `listener` after each commit; returns a function that stops it. Missing: no one changes files while a command runs. */
  readonly watch?: (listener: (events: readonly FileEvent[]) => void) => () => void;
  list(): Promise<readonly FileStat[]>;
  read(path: Path): Promise<SandboxContent | null>;
  /** Reads many files. The caller owns the bytes: no two contents share a buffer. */
  readMany(paths: readonly Path[]): Promise<readonly (SandboxContent | null)[]>;
}

interface SandboxContent {
  readonly bytes: Uint8Array;
  readonly version: number;
}
