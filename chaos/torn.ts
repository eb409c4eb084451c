import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Chromium's message when it finds its database torn by a kill, deletes it and continues with an empty one. A record of its log is written in two
 * steps. If the browser is killed between them, the next start continues after the torn end, and the start after that finds the log corrupt.
 */
const threwAway = "recovering from a corrupted (and deleted) database";

/** Whether a browser of this profile has logged the message, counting from its `start`-th start. */
export function hasThrownAway(profile: string, start = 1): boolean {
  return readFileSync(join(profile, "browser.log"), "utf8").split(/^--- /m).slice(start).join("").includes(threwAway);
}

/** How often a browser was started with this profile. */
export function startsOf(profile: string): number {
  return readFileSync(join(profile, "browser.log"), "utf8").split(/^--- /m).length - 1;
}
