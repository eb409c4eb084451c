import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What Chromium says when it finds its database torn by a kill, deletes it and goes on with an empty one. A record of its log is written in two
 * steps; killed between them, and gone on behind the torn end after the next start, the log does not add up at the start after that.
 */
const threwAway = "recovering from a corrupted (and deleted) database";

/** Whether a browser of this profile has said so, from its `start`-th start on. */
export function hasThrownAway(profile: string, start = 1): boolean {
  return readFileSync(join(profile, "browser.log"), "utf8").split(/^--- /m).slice(start).join("").includes(threwAway);
}

/** How often a browser was started on this profile. */
export function startsOf(profile: string): number {
  return readFileSync(join(profile, "browser.log"), "utf8").split(/^--- /m).length - 1;
}
