import type { Json } from "./model.ts";

/** The error in the result of a call that the user stopped before it ran. */
export const stoppedBeforeRun = "stopped by the user before it ran";

/** Uses no other module's code, because the page calls this too. */
export function wasStoppedBeforeRun(result: Json | undefined): boolean {
  return typeof result === "object" && result !== null && "error" in result && result["error"] === stoppedBeforeRun;
}
