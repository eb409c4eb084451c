import type { Actor } from "../fs/actor.ts";
import type { ErrorAnswer } from "./files.ts";

/** The content of a zip, fully checked, and how it relates to the project. */
export interface ZipContents {
  readonly files: readonly {
    readonly path: string;
    /** In bytes. */
    readonly size: number;
    readonly kind: "doc" | "dialog" | "deed";
    /**
     * `same`: the project has an identical file. `conflict`: the project has a different file of this name. `repository`: both have a repository
     * there. The project's stays.
     */
    readonly standing: "new" | "same" | "conflict" | "repository";
  }[];
  /** Lines that let agents do something, as written. They have no effect unless the user accepts them. */
  readonly inactive: readonly { readonly path: string; readonly line: string }[];
  /** Dialogs in which an agent was working. They wait now. */
  readonly interrupted: readonly string[];
  /** Calls that were approved but not run. They need approval again. */
  readonly undecided: number;
  /** Vibey's own history of the project. `left-out`: it can't be imported. `why` continues the sentence after "the history". */
  readonly history:
    | { readonly kind: "none" }
    | { readonly kind: "whole"; readonly commits: number }
    | { readonly kind: "left-out"; readonly why: string };
  /** Whether it can become another project. */
  readonly canBeNew: boolean;
  /** To pass to the call that imports the zip. */
  readonly seen: string;
}

/** A zip that was rejected as a whole. `error` says why. */
export interface ZipRefusedAnswer extends ErrorAnswer {
  readonly refused: { readonly kind: string; readonly entry: string | null };
}

export interface ZipTaken {
  readonly ok: true;
  /** The id of the new project. Null if the files were added to this project. */
  readonly project: string | null;
  /** The number of files that were new, that were replaced, that were added under another name, that were left out, and that were already there. */
  readonly added: number;
  readonly replaced: number;
  readonly renamed: number;
  readonly kept: number;
  readonly same: number;
}

/** A project other than the first one. */
export interface KnownProject {
  readonly id: string;
  /** Null if its name is unknown. */
  readonly name: string | null;
}

/** The parts of the project that would run outside the browser if it were exported unchanged. */
export interface OutgoingAnswer {
  /** First the files that are held back, then those in earlier versions. */
  readonly findings: readonly OutgoingFinding[];
  /** The total number, if more exist than are listed. */
  readonly total: number;
  /** Files of installed packages that can be left out. 0 if Vibey can import all files that the zip would have. */
  readonly packages: number;
}

export interface OutgoingFinding {
  /** A file, or the folder of a repository. */
  readonly path: string;
  /**
   * `held`: the safe form leaves it out, renames it or changes it. `history`: only earlier versions have it, and in the safe form git doesn't check
   * it out. `listed`: it runs only when the user gives a command.
   */
  readonly level: "held" | "history" | "listed";
  readonly reason: OutgoingReason;
  /** Who wrote it last. Null if the history doesn't say. */
  readonly writer: Writer | null;
}

/** `import`: it came with a zip. `commit`: the commit of the history. */
export type Writer = (Actor | { readonly kind: "import" }) & { readonly commit: string };

/** When a program outside the browser runs a file, or something that the file names. */
export type OutgoingTrigger =
  /** An editor opens the folder or a file in it. */
  | "editor-opens"
  /** A shell, or a tool that watches the shell, enters the folder. */
  | "folder-entered"
  /** A file manager shows the folder. */
  | "folder-shown"
  /** The file is opened with a double click. */
  | "opened"
  /** The program is started in the folder. */
  | "program-starts"
  | "packages-installed"
  /** The user gives a command that is known to run it. */
  | "command";

export type OutgoingReason =
  | { readonly kind: "runs"; readonly when: OutgoingTrigger; readonly program: string }
  /** Repository settings that an export doesn't include. */
  | { readonly kind: "settings"; readonly keys: readonly string[] }
  /** A program that git starts when something happens in the repository. */
  | { readonly kind: "hook" }
  /** Leads git to another folder, whose settings then apply. */
  | { readonly kind: "pointer" }
  /** Commands of a rebase or another sequence that git executes. */
  | { readonly kind: "sequence" }
  /** Files that were stashed, or may have been: git writes them, whatever paths it is told to leave out. */
  | { readonly kind: "stash" }
  /** The index names files that git must not write. */
  | { readonly kind: "index" }
  /** A repository inside a repository. */
  | { readonly kind: "inner" }
  /** A name that some file systems treat as `.git`. */
  | { readonly kind: "spelling" }
  | { readonly kind: "short-name" }
  /** It looks like a repository but can't be rebuilt. */
  | { readonly kind: "unreadable" };
