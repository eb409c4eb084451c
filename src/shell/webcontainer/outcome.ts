import type { RunOutcome } from "../sandbox.ts";
import type { ScriptEnding } from "./run-script.ts";

/** The outcome of a command that was stopped before it began. */
export const stoppedBefore: RunOutcome = { stdout: "", stderr: "", exitCode: 130, limit: null, aborted: true, ms: 0, changes: [] };

/** The outcome of a command that Vibey could not run. `why`: a sentence. */
export function failed(why: string): RunOutcome {
  return { stdout: "", stderr: `vibey: ${why}\n`, exitCode: 126, limit: null, aborted: false, ms: 0, changes: [] };
}

/** The outcome of the command's process. `remarks`: lines of Vibey's own, added at the end of stderr. */
export function outcomeOf(ending: ScriptEnding, remarks: readonly string[]): Omit<RunOutcome, "changes"> {
  const ms = Math.round(ending.ms);
  if (ending.kind === "done") {
    const { stdout, stderr, exitCode, limit, aborted } = ending.done;
    return { stdout, stderr: withLines(stderr, remarks), exitCode, limit, aborted, ms };
  }
  const { stdout, stderr, cut } = ending.shown.kept();
  const line = {
    time: "the command didn't stop in time and was killed; the end of its output may be missing",
    abort: "the command didn't stop in time and was killed; the end of its output may be missing",
    crash: `the command's shell in the WebContainer ended before it did: ${ending.detail}`,
  }[ending.why];
  return {
    stdout,
    stderr: withLines(stderr, [line, ...remarks]),
    exitCode: { time: 124, abort: 130, crash: 126 }[ending.why],
    limit: ending.why === "time" ? "time" : cut ? "output" : null,
    aborted: ending.why === "abort",
    ms,
  };
}

function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${lines.map((line) => `vibey: ${line}\n`).join("")}`;
}
