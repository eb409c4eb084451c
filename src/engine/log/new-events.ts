import { eventsOf, eventsOfHeader, eventsOfSection, generationOf } from "../../dialog/events/events-of.ts";
import type { DialogEvent } from "../../dialog/events/model.ts";
import type { Dialog } from "../../dialog/model.ts";
import { firstDifference, sectionAt, sectionCount } from "../../dialog/sections.ts";

/** Events that were not there before. */
export type News = DialogNews | CommitNews;

/** All commits of the project's history up to this number that were not there before. */
export interface CommitNews {
  readonly commits: number;
}

/** Events of one dialog. */
export interface DialogNews {
  readonly dialogId: string;
  readonly generation: number;
  /** For each event, the part of its id after the generation. */
  readonly keys: readonly string[];
}

/** The part of an event's id after `<dialogId>/<generation>/`. */
export function keyOf({ id, dialogId }: Pick<DialogEvent, "id" | "dialogId">): string {
  return id.slice(id.indexOf("/", dialogId.length + 1) + 1);
}

/** The events that `after` has and `before` does not. Null: there are none. */
export function newEventsBetween(before: Dialog | null, after: Dialog, dialogId: string): DialogNews | null {
  const generation = generationOf(after);
  const isSame = before !== null && generationOf(before) === generation;
  const keys = isSame ? added(before, after, dialogId, generation) : eventsOf(after, dialogId).map(keyOf);
  return keys.length === 0 ? null : { dialogId, generation, keys };
}

/** Reads only the differences: a section can have a thousand calls, and an input five megabytes. */
function added(before: Dialog, after: Dialog, dialogId: string, generation: number): string[] {
  const from = firstDifference(before, after);
  const keys: string[] = from === 0 ? without(eventsOfHeader(after, dialogId), eventsOfHeader(before, dialogId)) : [];
  for (let index = from; index < sectionCount(after); index += 1) {
    const now = eventsOfSection(after, dialogId, index, { generation, except: sectionAt(before, index)?.parts ?? [] });
    const old = eventsOfSection(before, dialogId, index, { generation, except: sectionAt(after, index)?.parts ?? [] });
    keys.push(...without(now, old));
  }
  return keys;
}

function without(events: readonly DialogEvent[], known: readonly DialogEvent[]): string[] {
  const ids = new Set(known.map(({ id }) => id));
  return events.filter(({ id }) => !ids.has(id)).map(keyOf);
}
