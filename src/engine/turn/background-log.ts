import { limits } from "../../protocol/limits.ts";
import type { LiveOutput, RunOutcome } from "../../shell/sandbox.ts";

/** What a command in the background prints, in the order in which it came, to be read in pieces. */
export interface BackgroundLog {
  add(output: LiveOutput): void;
  /** What the result has beyond what was shown while it ran. */
  close(outcome: Pick<RunOutcome, "stdout" | "stderr">): void;
  /** A line of Vibey's own. */
  remark(line: string): void;
  /** What was added since the last call. */
  take(): string;
}

/** Of a log that grows too large the beginning and the end are kept. UTF-16 units. */
export function createBackgroundLog(most: number = limits.backgroundOutput): BackgroundLog {
  const half = Math.floor(most / 2);
  let start = "";
  let end = "";
  /** Between the two. */
  let left = 0;
  /** How much of all was taken. */
  let taken = 0;
  /** What was shown of each while it ran; null: more than a result holds, so that the result has nothing to add. */
  const shown: { stdout: string | null; stderr: string | null } = { stdout: "", stderr: "" };

  function append(text: string): void {
    const room = half - start.length;
    start += text.slice(0, room);
    end += text.slice(Math.max(0, room));
    // Cut seldom: it copies.
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
