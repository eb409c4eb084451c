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
  /** Vibey's own history of the project. `left-out`: it can't be taken over; `why` goes on after "the history". */
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
  /** null: nobody knows any more what it was called. */
  readonly name: string | null;
}
