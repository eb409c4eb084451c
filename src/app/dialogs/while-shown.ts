import { onCleanup } from "solid-js";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/dialogs.ts";
import type { Notices } from "../ui/notices.ts";

export interface WhileShownDeps {
  readonly dialogId: string;
  readonly notices: Notices;
  /** Shows what went wrong where the action was started. */
  readonly failed: (problem: string | null) => void;
  /** Shows another dialog. */
  readonly go?: (dialogId: string) => void;
}

/** Reports how actions of a dialog end. If the user has left the dialog, a failure becomes a notice, and the page stays where it is. */
export function whileShown({ dialogId, notices, failed, go }: WhileShownDeps) {
  let isShown = true;
  onCleanup(() => {
    isShown = false;
  });
  return {
    isShown: () => isShown,
    failed: (problem: string | null): void => {
      if (isShown) failed(problem);
      else if (problem !== null)
        notices.add({ message: t.failedIn(visible(slugOf(dialogId)), problem), href: formatRoute({ tab: "dialogs", dialogId }) });
    },
    go: (next: string): void => {
      if (isShown) go?.(next);
    },
  };
}
