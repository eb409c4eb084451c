/** A file that is offered, with its path as it came. */
export interface OfferedFile {
  readonly path: string;
  readonly text: string;
}

/** What becomes of the files that are offered. */
export interface ImportPlan {
  /** Files to write, with paths of the project; none of them is a file of the user's agents. */
  readonly writes: readonly (OfferedFile & { readonly from: string })[];
  /** Files that aren't imported, each with the reason. */
  readonly unused: readonly { readonly path: string; readonly why: string }[];
  /** Lines for doc-main.md, which only the user can write there. */
  readonly schedules: readonly string[];
}

/** A plan that grows. */
export interface OpenPlan extends ImportPlan {
  readonly writes: (OfferedFile & { readonly from: string })[];
  readonly unused: { readonly path: string; readonly why: string }[];
  readonly schedules: string[];
  /** UTF-16 units of YAML that are still read: what is not valid costs more than its share, and the engine answers nothing else meanwhile. */
  yamlLeft: number;
}
