import type { BackgroundView } from "../../engine/api.ts";
import { clock } from "../shell/words.ts";

/** "1 runs, 2 ended". */
export function backgroundWords(commands: readonly Pick<BackgroundView, "state">[]): string {
  const running = commands.filter(({ state }) => state === "running").length;
  const over = commands.length - running;
  return [running > 0 ? `${running} ${running === 1 ? "runs" : "run"}` : null, over > 0 ? `${over} ended` : null]
    .filter((word) => word !== null)
    .join(", ");
}

/** "runs since 20:14", "ended with exit code 1", "stopped". */
export function backgroundState({ state, started, exitCode }: Pick<BackgroundView, "state" | "started" | "exitCode">): string {
  switch (state) {
    case "running":
      return `runs since ${clock(started) ?? started}`;
    case "stopped":
      return "stopped";
    case "ended":
      return exitCode === null || exitCode === 0 ? "ended" : `ended with exit code ${exitCode}`;
  }
}
