import type { OutgoingFinding } from "../../../protocol/index.ts";

/** What would run outside the browser; who wrote it the history says. */
export type Finding = Omit<OutgoingFinding, "writer"> & {
  /** The repository in the project whose history has the file; left out: it is not one of these. */
  readonly repository?: string;
};
export type Reason = Finding["reason"];
