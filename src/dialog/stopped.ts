import { isJsonObject } from "./json.ts";
import type { Json } from "./model.ts";

/** The error in the result of a call that the user stopped before it began. */
export const stoppedBeforeRun = "stopped by the user before it ran";

export function wasStoppedBeforeRun(result: Json | undefined): boolean {
  return isJsonObject(result) && result["success"] === false && result["error"] === stoppedBeforeRun;
}
