import type { KnownProject } from "../../../protocol/index.ts";

/** The projects of this browser besides the first one. */
export interface ProjectShelf {
  list(): Promise<readonly KnownProject[]>;
  /** False if there is no such project. */
  rename(id: string, name: string): Promise<boolean>;
  /** `open`: a tab has it open, so nothing was removed. */
  remove(id: string): Promise<"removed" | "open">;
}

/** Used if other projects can't be stored. */
export const noProjects: ProjectShelf = { list: async () => [], rename: async () => false, remove: async () => "removed" };
