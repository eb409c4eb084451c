export interface ErrorAnswer {
  readonly error: string;
}

export interface FileAnswer {
  readonly name: string;
  readonly content: string;
}

/** A line that holds what was looked for. */
export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  /** Where it stands in the line, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
  /** A piece of the line, and where what was found begins in it. */
  readonly text: string;
  readonly at: number;
}

export interface FoundFile {
  /** In the project: `vibey/doc-a.md`. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
  /** Further finds that are not listed. */
  readonly more: number;
}

/** Frames of `GET /search`. The last is `end`; `cut`: there may be further files; `unread`: files too long to be looked through, or damaged. */
export type SearchFrame =
  | ({ readonly type: "found" } & FoundFile)
  | { readonly type: "end"; readonly cut: boolean; readonly unread: number };

export interface DeedListing {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}
