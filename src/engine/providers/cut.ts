import type { Stop } from "./provider.ts";
import type { Watch } from "./watch.ts";
import type { Reading } from "./wire.ts";

/** How the response was cut off, if it was. Called when the body has ended. */
export function cutOf(reading: Reading, type: string, watch: Watch, signal: AbortSignal): Stop | undefined {
  if (reading.ended) return undefined;
  if (signal.aborted || watch.stalled) return cutStop(watch, signal);
  // If the server said that it has finished, the response is complete, even without a stop reason.
  if (reading.known > 0) return watch.finished ? undefined : cutStop(watch, signal);
  if (type === "text/html" || type === "application/json") {
    return protocol(`Expected a message stream, but the server returned ${type}. Check the provider address in Settings.`);
  }
  return {
    kind: "error",
    reason: "empty",
    message: "Vibey couldn't read the server's response. Check the provider address, or try again.",
  };
}

export function cutStop(watch: Watch, signal: AbortSignal): Stop {
  if (signal.aborted) return { kind: "aborted" };
  if (watch.stalled) return { kind: "interrupted", message: "The response stalled." };
  return { kind: "interrupted", message: "The connection was lost before the response finished." };
}

export function protocol(message: string): Extract<Stop, { kind: "error" }> {
  return { kind: "error", reason: "protocol", message };
}
