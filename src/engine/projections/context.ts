import type { ContextView } from "../../protocol/index.ts";
import { warningReached } from "../prompt/context-window.ts";
import { currentModel, currentProvider } from "../turn/machine/next-step.ts";
import { tokensUsed } from "../turn/machine/usage.ts";
import type { Live } from "../dialogs/live.ts";

/** How full the window of the model for the next turn is. Null if no usage was reported or the window is unknown. */
export function contextOf(live: Live): ContextView | null {
  const { dialog } = live.state;
  const window = live.window(currentProvider(dialog), currentModel(dialog));
  const used = window === null ? null : tokensUsed(dialog);
  if (window === null || window <= 0 || used === null) return null;
  return { used, window, nearlyFull: warningReached({ used, window }) > 0 };
}
