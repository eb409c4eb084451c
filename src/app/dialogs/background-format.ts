import type { BackgroundView } from "../../protocol/index.ts";
import { clock } from "../ui/format.ts";
import * as t from "../texts/dialogs.ts";

/** "1 running, 2 ended". */
export function backgroundWords(commands: readonly Pick<BackgroundView, "state">[]): string {
  const running = commands.filter(({ state }) => state === "running").length;
  return t.backgroundCounts(running, commands.length - running);
}

/** "running since 20:14", "exited with code 1", "stopped". */
export function backgroundState({ state, started, exitCode }: Pick<BackgroundView, "state" | "started" | "exitCode">): string {
  switch (state) {
    case "running":
      return t.backgroundRuns(clock(started) ?? started);
    case "stopped":
      return t.backgroundStopped;
    case "ended":
      return exitCode === null || exitCode === 0 ? t.backgroundEnded : t.backgroundFailed(exitCode);
  }
}
