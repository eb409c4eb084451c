import { limits } from "../../protocol/limits.ts";
import type { LiveOutput, RunOutcome } from "../../shell/sandbox.ts";

/** The output of a background command, in the order in which it was printed. It is read in pieces. */
export interface BackgroundLog {
  add(output: LiveOutput): void;
  /** Adds the part of the result that was not shown while the command ran. */
  close(outcome: Pick<RunOutcome, "stdout" | "stderr">): void;
  /** Adds a line from Vibey itself. */
  remark(line: string): void;
  /** Returns the text added since the last call. */
  take(): string;
}

/** A log that exceeds `most` UTF-16 units keeps its beginning and its end. */
export function createBackgroundLog(most: number = limits.backgroundOutput): BackgroundLog {
  const half = Math.floor(most / 2);
  let start = "";
  let end = "";
  /** How many units were cut between the two. */
  let left = 0;
  /** How many units of the whole log were taken. */
  let taken = 0;
  /** What each stream has shown while the command ran. Null if it exceeded the size of a result: then the result has nothing to add. */
  const shown: { stdout: string | null; stderr: string | null } = { stdout: "", stderr: "" };

  function append(text: string): void {
    const room = half - start.length;
    start += text.slice(0, room);
    end += text.slice(Math.max(0, room));
    // Cut rarely, because cutting copies the text.
    if (end.length > most) cut();
  }

  function cut(): void {
    const tooMuch = Math.max(0, end.length - half);
    end = end.slice(tooMuch);
    left += tooMuch;
  }

  function remark(line: string): void {
    const last = (end === "" ? start : end).at(-1);
    append(`${last === undefined || last === "\n" ? "" : "\n"}vibey: ${line}\n`);
  }

  return {
    add({ stream, text }) {
      if (stream === "progress") return;
      const before = shown[stream];
      shown[stream] = before === null || before.length + text.length > most ? null : before + text;
      append(text);
    },
    close(outcome) {
      for (const stream of ["stdout", "stderr"] as const) {
        const [whole, before] = [outcome[stream], shown[stream]];
        if (before === null) continue;
        if (whole.startsWith(before)) append(whole.slice(before.length));
        else {
          remark(`while it ran not all of ${stream} was shown as it is; this is it:`);
          append(whole);
        }
      }
    },
    remark,
    take() {
      cut();
      const first = start.slice(taken);
      const endsAt = start.length + left;
      const gone = Math.max(0, endsAt - Math.max(taken, start.length));
      const rest = end.slice(Math.max(0, taken - endsAt));
      taken = endsAt + end.length;
      return first + (gone > 0 ? `\n[… ${gone} characters cut here …]\n` : "") + rest;
    },
  };
}
