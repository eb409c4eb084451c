import type { OutputView } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { LiveOutput } from "../../shell/sandbox.ts";
import { type Live, tell } from "../dialogs/live.ts";

/** What the command that runs has just printed: kept for anyone who comes later, as far as it goes, and told to anyone who reads the dialog. Nothing of it is stored. */
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
  // Not in the middle of a character.
  return text.slice(/[\uDC00-\uDFFF]/.test(text.charAt(start)) ? start + 1 : start);
}
