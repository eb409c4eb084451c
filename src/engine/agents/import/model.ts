/** A file to import, with its original path. */
export interface OfferedFile {
  readonly path: string;
  readonly text: string;
}

/** The result of planning an import. */
export interface ImportPlan {
  /** The files to write, with paths in the project. None of them is a file of the user's agents. */
  readonly writes: readonly (OfferedFile & { readonly from: string })[];
  /** The files that aren't imported, each with the reason. */
  readonly unused: readonly { readonly path: string; readonly why: string }[];
  /** Lines for doc-main.md, which only the user can write there. */
  readonly schedules: readonly string[];
}

/** A plan that is being built. */
export interface OpenPlan extends ImportPlan {
  readonly writes: (OfferedFile & { readonly from: string })[];
  readonly unused: { readonly path: string; readonly why: string }[];
  readonly schedules: string[];
  /** How many more UTF-16 units of YAML may be read. Invalid YAML is expensive and blocks the engine. */
  yamlLeft: number;
}
