import { type Accessor } from "solid-js";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import type { Notices } from "../ui/notices.ts";
import * as t from "../texts/dialogs.ts";
import type { OpenDialog } from "./open-dialog.ts";
import { speakerOf } from "./speaker.ts";
import type { DialogState } from "./dialog-state.ts";
import { doing } from "./groups.ts";
import type { Head } from "./running.ts";
import { onChange } from "../ui/on-change.ts";

/** Announces to screen readers what the dialog starts to do or to ask for, until the owner is disposed. */
export function announceChanges(
  head: Accessor<Head>,
  state: DialogState,
  exchanges: OpenDialog["exchanges"],
  notices: Pick<Notices, "announce">,
) {
  onChange([() => head().dialogId, () => exchanges().filter(({ from }) => from?.kind === "agent")], ([id, answers], before) => {
    const last = answers.at(-1);
    // Answers that were there when the dialog was opened are not new.
    if (last && before?.[0] === id && answers.length > before[1].length) notices.announce(t.hasAnswered(speakerOf(last).name));
  });
  onChange([() => head().status, () => state.asked().length], ([status, pending], before) => {
    if (before === undefined) return;
    if (pending > 0 && before[1] === 0) notices.announce(t.asksForLeave);
    else if (status !== before[0])
      notices.announce(t.nowDoes(slugOf(head().dialogId), doing(status, null, state.waitingFor(), state.wants())));
  });
  onChange(
    () => state.networkAsk()?.ask.question,
    () => {
      const ask = state.networkAsk()?.ask;
      if (ask) notices.announce(t.wantsToReach(visible(ask.host)));
    },
  );
}
