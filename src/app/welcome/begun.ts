import { currentProject } from "../model/current-project.ts";
import { keep, kept } from "../ui/keep.ts";

/** Says that the first project contains something. public/first.js reads it before the first paint. */
const key = "vibey begun";

export const isFirstBegun = (): boolean => kept(key) !== null;

export function noteBegun(): void {
  if (currentProject() === "" && !isFirstBegun()) keep(key, "yes");
}
