import type { DialogListing } from "../../protocol/index.ts";
import { words } from "../calls/describe.ts";
import { visible } from "../calls/visible.ts";
import { money } from "../cost/money.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import type { Row } from "../ui/Sidebar.tsx";
import { when } from "../ui/format.ts";
import * as t from "../texts/dialog-list.ts";
import * as states from "../texts/dialog-states.ts";
import { type DialogGroup, doing } from "./groups.ts";
import { type AtWork, belowWords, isIdle } from "./launched.ts";
import { isAsked, groupOf } from "./dialog-group.ts";

/** A dialog as a row of the list. `now`: milliseconds since 1970. `below`: what the agents that it launched are doing. */
export const rowOf = (one: DialogListing, now: number, below?: AtWork): Omit<Row, "current" | "remove"> => ({
  key: one.dialogId,
  href: formatRoute({ tab: "dialogs", dialogId: one.dialogId }),
  title: visible(slugOf(one.dialogId)),
  hint: visible(one.filename),
  side: when(one.mtime, now),
  note: noteOf(one, below),
  mark: markOf(one),
});

/** The group's title. For running and queued dialogs, it includes their number. */
export const titleOf = ({ place, title, dialogs }: DialogGroup) =>
  place === "running" || place === "queued" ? t.groupOf(title, dialogs.length) : title;

/** What it is doing or asks for, who launched it, and what it has used. */
function noteOf(one: DialogListing, below: AtWork | undefined): string {
  const { tokens, cost } = one;
  return [
    (groupOf(one) === "done" || isIdle(one.status, one.waitingFor) ? belowWords(below) : null) ??
      (groupOf(one) === "done" || (one.side && one.activity === null) ? null : doingNow(one)),
    one.side == null ? null : states.sideDiscussion(one.side.outcome),
    originOf(one),
    cost == null ? null : money(cost),
    tokens == null ? null : t.tokensUsed(tokens),
  ]
    .filter((word) => word !== null)
    .join(" · ");
}

/** Which dialog's agent launched it, or which dialog mentioned its agent; null: the user started it. */
export function originOf({ launchedBy, answers }: DialogListing): string | null {
  if (launchedBy == null) return null;
  return (answers === true ? t.answersMention : t.launchedBy)(visible(slugOf(launchedBy)));
}

/** What it is doing now or asks for. If calls need approval, names the calls themselves. */
export function doingNow({ status, activity, waitingFor, wants, asks }: DialogListing): string {
  if (status !== "waiting" || activity !== null || asks == null) return doing(status, activity, waitingFor, wants);
  const first = asks.first.map(({ tool, subject }) => states.wish(words(tool).verb, visible(subject)));
  return asks.count === 1 ? (first[0] ?? "") : states.wishes(asks.count, first);
}

function markOf(one: DialogListing): Row["mark"] {
  const place = groupOf(one);
  if (place === "done") return "none";
  if (place === "stopped") return "stopped";
  if (place !== "waiting") return place;
  if (one.waitingFor === "failed") return "failed";
  return one.waitingFor === "leave" || one.waitingFor === "question" || isAsked(one.activity) ? "leave" : place;
}
