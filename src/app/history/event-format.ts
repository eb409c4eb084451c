import type { Actor } from "../../fs/actor.ts";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { CommitEvent } from "../../protocol/index.ts";
import { slugOf } from "../docs/names.ts";
import type { Route } from "../model/route.ts";
import { clock, type LocaleOptions } from "../ui/format.ts";
import * as t from "../texts/events.ts";
import * as names from "../texts/history-changes.ts";

/** The actor's name, as in the list of changes. An agent outside Vibey is shown with its own name. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "human":
      return actor.device === undefined ? names.you : t.youOn(actor.device);
    case "agent":
      return actor.dialogId === "" ? names.someAgent : slugOf(actor.dialogId);
    case "outside":
      return t.outside(actor.agentId, actor.framework);
    case "vibey":
      return names.vibey;
  }
}

/** The time of day in the reader's time zone, and everything that is known of it. Seconds are shown only if the event has a time of its own. */
export function eventTime(
  { time, exact }: { readonly time: string; readonly exact: boolean },
  place: LocaleOptions = {},
): { shown: string; whole: string } {
  const shown = clock(time, place, exact);
  if (shown === null) return { shown: "", whole: t.noTime };
  return { shown, whole: exact ? t.exactly(time) : t.notExactly(time) };
}

/** The event's place in the dialog's text, or its commit among the changes. */
export function eventPlace(event: DialogEvent | CommitEvent): Route {
  if (event.type === "commit") return { tab: "history", commit: event.data.commit, path: null };
  const { dialogId, anchor } = event;
  if (anchor === null) return { tab: "dialogs", dialogId, text: { from: 1, to: 1 } };
  const { section, part } = anchor;
  return { tab: "dialogs", dialogId, text: { section, ...(part === undefined ? {} : { part }) } };
}
