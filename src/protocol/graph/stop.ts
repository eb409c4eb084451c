/** How an agent is after a response of it was stopped, from the value of its `Stop` line. What a limit stopped is `paused`: it can be resumed. */
export function stateOfStop(stop: string): "aborted" | "paused" | "error" {
  if (stop === "aborted") return "aborted";
  return stop.startsWith("error") || stop === "refusal" || stop === "limit no progress" ? "error" : "paused";
}
