import type { Actor } from "../fs/actor.ts";
import type { ErrorAnswer } from "./files.ts";

/** What is in a zip, all of it checked, and how it stands to the project. */
export interface ZipContents {
  readonly files: readonly {
    readonly path: string;
    /** Bytes. */
    readonly size: number;
    readonly kind: "doc" | "dialog" | "deed";
    /** `same`: the project has it, byte for byte. `conflict`: it has another one of this name. `repository`: both have a repository there; it stays. */
    readonly standing: "new" | "same" | "conflict" | "repository";
  }[];
  /** Lines that let agents do something, which will decide nothing unless they are accepted; as they stand. */
  readonly inactive: readonly { readonly path: string; readonly line: string }[];
  /** Dialogs in which an agent was at work; they wait now. */
  readonly interrupted: readonly string[];
  /** Calls that were approved and had not run; they are asked about again. */
  readonly undecided: number;
  /** Vibey's own history of the project. `left-out`: it can't be taken over; `why` continues the sentence after "the history". */
  readonly history:
    | { readonly kind: "none" }
    | { readonly kind: "whole"; readonly commits: number }
    | { readonly kind: "left-out"; readonly why: string };
  /** There is a place for another project. */
  readonly canBeNew: boolean;
  /** For the call that takes it. */
  readonly seen: string;
}

/** A zip of which nothing was taken. `error` says why. */
export interface ZipRefusedAnswer extends ErrorAnswer {
  readonly refused: { readonly kind: string; readonly entry: string | null };
}

export interface ZipTaken {
  readonly ok: true;
  /** The id of the new project; null when it went into this one. */
  readonly project: string | null;
  /** Files that were not there, that read otherwise now, that came in under another name, that were left out, and that were there already. */
  readonly added: number;
  readonly replaced: number;
  readonly renamed: number;
  readonly kept: number;
  readonly same: number;
}

/** A project beside the first one. */
export interface KnownProject {
  readonly id: string;
  /** null: no one knows any more what it was called. */
  readonly name: string | null;
}

/** What of the project would run outside the browser, were it exported as it is. */
export interface OutgoingAnswer {
  /** Those that are held back first, then those of earlier versions. */
  readonly findings: readonly OutgoingFinding[];
  /** How many there are, if more than are listed. */
  readonly total: number;
  /** Files of installed packages that can be left out; 0 where Vibey can import all files that the zip would have. */
  readonly packages: number;
}

export interface OutgoingFinding {
  /** A file, or the folder of a repository. */
  readonly path: string;
  /**
   * `held`: in the safe form it is not under its name, or not as it is here. `history`: only earlier versions have it, and in the safe form git
   * does not put it into the folder. `listed`: it runs when the user gives a command.
   */
  readonly level: "held" | "history" | "listed";
  readonly reason: OutgoingReason;
  /** Who wrote it last; null: no history says so. */
  readonly writer: Writer | null;
}

/** `import`: it came with a zip. `commit`: the one of the history. */
export type Writer = (Actor | { readonly kind: "import" }) & { readonly commit: string };

/** When a program outside the browser runs a file, or something that the file names. */
export type OutgoingTrigger =
  /** An editor opens the folder, or a file in it. */
  | "editor-opens"
  /** A shell, or a tool that watches it, enters the folder. */
  | "folder-entered"
  /** A file manager shows the folder. */
  | "folder-shown"
  /** It is opened with a double click. */
  | "opened"
  /** The program is started in the folder. */
  | "program-starts"
  | "packages-installed"
  /** A command is given that is known to run it. */
  | "command";

export type OutgoingReason =
  | { readonly kind: "runs"; readonly when: OutgoingTrigger; readonly program: string }
  /** Settings of a repository that are not among those that leave. */
  | { readonly kind: "settings"; readonly keys: readonly string[] }
  /** A program that git starts when something happens in the repository. */
  | { readonly kind: "hook" }
  /** It leads git to another folder, whose settings count then. */
  | { readonly kind: "pointer" }
  /** Commands of a rebase or another sequence that git goes through. */
  | { readonly kind: "sequence" }
  /** Files that were put aside, or may have been: git writes them whatever it is told to keep out. */
  | { readonly kind: "stash" }
  /** The index names files that git must not write. */
  | { readonly kind: "index" }
  /** A repository in a repository. */
  | { readonly kind: "inner" }
  /** A name that some file systems take for `.git`. */
  | { readonly kind: "spelling" }
  | { readonly kind: "short-name" }
  /** It looks like a repository, and can't be rebuilt. */
  | { readonly kind: "unreadable" };
