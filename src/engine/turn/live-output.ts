import type { OutputView } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { LiveOutput } from "../../shell/sandbox.ts";
import { type Live, tell } from "../dialogs/live.ts";

/** Shows what the running command has just printed to everyone who reads the dialog. Keeps the latest part for later readers. Stores nothing. */
export function showOutput(live: Live, callId: string, output: LiveOutput): void {
  live.output = withMore(live.output?.callId === callId ? live.output : { callId, text: "", progress: null }, output);
  tell(live, { kind: "output", callId, output });
}

function withMore(so: OutputView, { stream, text }: LiveOutput): OutputView {
  if (stream === "progress") return { ...so, progress: text === "" ? null : text };
  const whole = so.text + text;
  return { ...so, text: whole.length <= limits.outputShown ? whole : lastOf(whole) };
}

function lastOf(text: string): string {
  const start = text.length - limits.outputShown;
  // Don't cut a character in half.
  return text.slice(/[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}
