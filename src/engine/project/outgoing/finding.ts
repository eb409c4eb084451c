import type { OutgoingFinding } from "../../../protocol/index.ts";

/** A file that would run outside the browser. The history says who wrote it. */
export type Finding = Omit<OutgoingFinding, "writer"> & {
  /** The repository in the project whose commits contain the file. Left out if it isn't such a file. */
  readonly repository?: string;
};
export type Reason = Finding["reason"];
