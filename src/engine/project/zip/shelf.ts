import type { KnownProject } from "../../../protocol/index.ts";

/** The projects of this browser beside the first one. */
export interface ProjectShelf {
  list(): Promise<readonly KnownProject[]>;
  /** False: there is no such project. */
  rename(id: string, name: string): Promise<boolean>;
  /** `open`: a tab has it open, and nothing was touched. */
  remove(id: string): Promise<"removed" | "open">;
}

/** Where projects have no place beside the first one. */
export const noProjects: ProjectShelf = { list: async () => [], rename: async () => false, remove: async () => "removed" };
