import type { LiveOutput } from "../sandbox.ts";
import { cutMiddle } from "./cut.ts";

/** What a command has shown so far: all that is left of its output if it is killed. */
export interface Shown {
  add(output: LiveOutput): void;
  /** Up to `maxBytes` of each stream; `cut`: one of them had more. */
  kept(): { readonly stdout: string; readonly stderr: string; readonly cut: boolean };
}

/** Keeps the beginning and the end of each stream, so that its size stays limited. */
export function createShown(maxBytes: number): Shown {
  const streams = { stdout: { start: "", end: "", left: 0 }, stderr: { start: "", end: "", left: 0 } };

  function whole({ start, end, left }: (typeof streams)["stdout"]): string {
    return left === 0 ? start + end : `${start}\n[… ${left} characters cut here …]\n${end}`;
  }

  return {
    add({ stream, text }) {
      if (stream === "progress") return;
      const kept = streams[stream];
      const room = Math.max(0, maxBytes - kept.start.length);
      kept.start += text.slice(0, room);
      const end = kept.end + text.slice(room);
      // Cut seldom, because it copies.
      const tooMuch = end.length > 2 * maxBytes ? end.length - maxBytes : 0;
      kept.end = end.slice(tooMuch);
      kept.left += tooMuch;
    },
    kept() {
      const stdout = cutMiddle(whole(streams.stdout), maxBytes);
      const stderr = cutMiddle(whole(streams.stderr), maxBytes);
      return { stdout: stdout.text, stderr: stderr.text, cut: stdout.cut || stderr.cut };
    },
  };
}
