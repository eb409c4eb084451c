export interface ErrorAnswer {
  readonly error: string;
}

export interface FileAnswer {
  readonly name: string;
  readonly content: string;
}

/** A line that matches a search. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  /** The position of the match in the line, in UTF-16 code units. */
  readonly from: number;
  readonly to: number;
  /** An excerpt of the line, and the position of the match in it. */
  readonly text: string;
  readonly at: number;
}

export interface FoundFile {
  /** In the project: `vibey/doc-a.md`. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
  /** The number of further matches that are not listed. */
  readonly more: number;
}

/** Frames of `GET /search`. The last one is `end`. `cut`: there may be more files. `unread`: files that were too long or damaged. */
export type SearchFrame =
  | ({ readonly type: "found" } & FoundFile)
  | { readonly type: "end"; readonly cut: boolean; readonly unread: number };

export interface DeedListing {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}
