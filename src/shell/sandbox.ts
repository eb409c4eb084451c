import type { FileEvent, FileStat } from "../fs/files.ts";
import type { Path } from "../fs/path.ts";
import type { NetAnswer, NetRequest, Network } from "./network.ts";

/**
 * Where commands run: a disposable projection of the project's files, never their home. The engine brings it up to date
 * before a command and commits what the command changed before the command's result is written.
 *
 * - `run` never throws and always settles: after `timeoutMs`, after `signal` aborts, or when the command ends.
 * - Commands of several sessions may run at one time, each over the files as they were when it began. Those of one session run one after another.
 * - What was printed before a limit bit is kept, and the outcome names the limit.
 * - No key, no store handle inside, and no network but the one that `RunOptions` give.
 */
export interface Sandbox {
  run(command: string, options: RunOptions): Promise<RunOutcome>;
  /**
   * Runs a command beside those of `run`, which do not wait for it, with the working directory and the exported variables that the
   * session has now and keeps. It sees what others change in the project while it runs. Missing: this sandbox can't.
   */
  readonly runInBackground?: (command: string, options: BackgroundOptions) => Promise<RunOutcome>;
  /** Milliseconds that a command may run beside others, now. Missing: as the engine has it. */
  readonly backgroundLimitMs?: () => number;
  /**
   * The words of each simple command of a script that is made of nothing else: no word of it is computed, nothing is redirected, no variable is
   * set, and no program runs another one. It is read as the shell that would run it reads it. null: that can't be said of this script.
   * Missing: of none.
   */
  readonly simpleCommands?: (command: string) => Promise<readonly (readonly string[])[] | null>;
  /** Called once: how it stores changes that it finds when no command is there any more to store them. Missing: it finds none. */
  readonly storeLateBy?: (store: StoreLate) => void;
  /** What its commands listen on. Missing: nothing here is told of it. */
  readonly ports?: SandboxPorts;
  dispose(): void;
}

/** A sandbox that can run commands in the background. */
export type EmbeddedSandbox = Sandbox & Required<Pick<Sandbox, "runInBackground">>;

/** The ports on which commands listen. Those of a session are reached by its own commands, and by anyone who names it here. */
export interface SandboxPorts {
  /** By port. */
  servers(): readonly ListeningServer[];
  /** Calls `listener` whenever `servers` answers something else. */
  listen(listener: () => void): void;
  /** Asks a server of the session, at an address of the session's own machine. null: nothing listens there. */
  fetch(session: string, request: NetRequest, signal: AbortSignal): Promise<NetAnswer | null>;
}

export interface ListeningServer {
  readonly session: string;
  readonly port: number;
  readonly owner: ServerOwner;
  /** ISO 8601. */
  readonly since: string;
}

/** The command that a server belongs to. `background`: its id, where it runs in the background. */
export interface ServerOwner {
  readonly background: string | null;
  readonly command: string;
}

/** `session`: whose commands alone can have made these changes; null: it is not known whose, as where several sessions ran some. Awaited; it must not reject. */
export type StoreLate = (changes: readonly SandboxChange[], session: string | null) => Promise<void>;

export interface BackgroundOptions extends Omit<RunOptions, "commit" | "waits" | "begins" | "claim"> {
  /** What the session calls the command. */
  readonly id: string;
  /** Milliseconds between two looks for changes while it runs. */
  readonly commitEveryMs: number;
  /** Awaited: what was changed since it was last called; once more at the end with what is left. It must not reject. */
  readonly commitChanges: (changes: readonly SandboxChange[]) => Promise<void>;
}

export interface RunOptions {
  /** The dialog; the working directory is kept from one command of a session to the next. */
  readonly session: string;
  /** Milliseconds. */
  readonly timeoutMs: number;
  /** UTF-8 bytes of stdout, and of stderr. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Called once, when the command can't begin at once because others run. */
  readonly waits?: () => void;
  /** Called when its turn has come, before anything of the project is read for it. */
  readonly begins?: () => void;
  /** Awaited right before the shell is given the command, of which nothing has run until then. False: it must not run. It must not reject. */
  readonly claim?: () => Promise<boolean>;
  /**
   * Awaited after the command: commit the changes here. No other command commits meanwhile, and the next one of the session starts
   * after it. It must not reject.
   */
  readonly commit?: (outcome: RunOutcome) => Promise<void>;
  /** Hears what the command prints while it runs, as far as that can be told early; the outcome is what counts. */
  readonly onOutput?: (output: LiveOutput) => void;
  /** Missing: there is no network. */
  readonly network?: Network;
  /** Answers the shell's command `background`. Missing: there is no background. */
  readonly background?: (operands: readonly string[], signal: AbortSignal) => Promise<Printed>;
}

/** What a command of the shell prints that the engine answers. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface LiveOutput {
  /** `progress`: a line about what continues, which takes the place of the one before and is no output. */
  readonly stream: "stdout" | "stderr" | "progress";
  readonly text: string;
}

export interface RunOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** Which limit ended or cut it, if any. */
  readonly limit: "time" | "output" | null;
  readonly aborted: boolean;
  /** Wall time in milliseconds. */
  readonly ms: number;
  /** Every file whose content or existence differs from what the sandbox was given; the base says which version it started from. */
  readonly changes: readonly SandboxChange[];
}

export interface SandboxChange {
  readonly path: Path;
  /** null: the file was removed. */
  readonly bytes: Uint8Array | null;
  /** The version the sandbox was given; null: the file was not there. */
  readonly base: number | null;
  /** So many bytes were in the file that the sandbox was given, and nothing was done but to append the others. Missing: unknown. */
  readonly keeps?: number;
}

/** How the sandbox gets at the project's files: read only, versions included. */
export interface SandboxFiles {
  /** Calls `listener` after each commit; returns the way to stop. Missing: no one changes them while a command runs. */
  readonly watch?: (listener: (events: readonly FileEvent[]) => void) => () => void;
  list(): Promise<readonly FileStat[]>;
  read(path: Path): Promise<SandboxContent | null>;
  /** The same of many files. The bytes are the caller's own: no two contents share a buffer, and no one else looks at it. */
  readMany(paths: readonly Path[]): Promise<readonly (SandboxContent | null)[]>;
}

interface SandboxContent {
  readonly bytes: Uint8Array;
  readonly version: number;
}
