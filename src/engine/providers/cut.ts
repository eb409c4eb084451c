import type { Stop } from "./provider.ts";
import type { Watch } from "./watch.ts";
import type { Reading } from "./wire.ts";

/** How a body that came to its end was cut, if it was. */
export function cutOf(reading: Reading, type: string, watch: Watch, signal: AbortSignal): Stop | undefined {
  if (reading.ended) return undefined;
  if (signal.aborted || watch.stalled) return cutStop(watch, signal);
  // A server that says that it has finished has, though it gave no reason.
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
