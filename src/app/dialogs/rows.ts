import type { DialogListing } from "../../engine/api.ts";
import { visible } from "../calls/visible.ts";
import { money } from "../cost/money.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../shell/route.ts";
import type { Row } from "../shell/Sidebar.tsx";
import { when } from "../shell/words.ts";
import * as t from "../texts/dialog-list.ts";
import { type DialogGroup, doing } from "./groups.ts";
import { isAsked, placeOf } from "./place.ts";

/** A dialog as a row of the list. `now`: milliseconds since 1970. */
export const rowOf = (one: DialogListing, now: number): Omit<Row, "current" | "remove"> => ({
  key: one.dialogId,
  href: formatRoute({ tab: "dialogs", dialogId: one.dialogId }),
  title: visible(slugOf(one.dialogId)),
  hint: visible(one.filename),
  side: when(one.mtime, now),
  note: noteOf(one),
  mark: markOf(one),
});

/** How many there are is said of those who work. */
export const titleOf = ({ place, title, dialogs }: DialogGroup) =>
  place === "running" || place === "queued" ? t.groupOf(title, dialogs.length) : title;

/** What it does or waits for, who launched it, what it has used. */
function noteOf(one: DialogListing): string {
  const { status, activity, waitingFor, wants, launchedBy, tokens, cost } = one;
  return [
    placeOf(one) === "done" ? null : doing(status, activity, waitingFor, wants),
    launchedBy == null ? null : t.launchedBy(visible(slugOf(launchedBy))),
    cost == null ? null : money(cost),
    tokens == null ? null : t.tokensUsed(tokens),
  ]
    .filter((word) => word !== null)
    .join(" · ");
}

function markOf(one: DialogListing): Row["mark"] {
  const place = placeOf(one);
  if (place === "done") return "none";
  return place === "waiting" && (one.waitingFor === "leave" || isAsked(one.activity)) ? "leave" : place;
}
