import type { Json } from "./model.ts";

/** The error in the result of a call that the user stopped before it began. */
export const stoppedBeforeRun = "stopped by the user before it ran";

/** The page asks this too, so it needs no other module. */
export function wasStoppedBeforeRun(result: Json | undefined): boolean {
  return typeof result === "object" && result !== null && "error" in result && result["error"] === stoppedBeforeRun;
}
