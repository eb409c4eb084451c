/**
 * The state of an agent whose response was stopped, from the value of its `Stop` line. An agent stopped by a limit is `paused`: it can be resumed.
 */
export function stateOfStop(stop: string): "aborted" | "paused" | "error" {
  if (stop === "aborted") return "aborted";
  return stop.startsWith("error") || stop === "refusal" || stop === "limit no progress" ? "error" : "paused";
}
