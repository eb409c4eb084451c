/** The history in words: authors, times, and the outcome of undoing. */
import type { Actor } from "../../fs/actor.ts";
import type { HistoryCommitAnswer, RestoreAnswer } from "../../protocol/index.ts";
import { slugOf } from "../docs/names.ts";
import { dayBefore, format, type LocaleOptions } from "../ui/format.ts";
import * as t from "../texts/history-changes.ts";
import { fileTitle } from "./paths.ts";

export type FileChange = HistoryCommitAnswer["changes"][number];

/** The maximum number of file names in a sentence. If there are more, it says how many. */
const named = 3;

/** "You", "Vibey", or the name of the dialog whose agent it was. */
export function who(by: Actor): string {
  if (by.kind === "human") return t.you;
  if (by.kind === "vibey") return t.vibey;
  return by.kind === "agent" && by.dialogId !== "" ? slugOf(by.dialogId) : t.someAgent;
}

/** The names of dialogs. Dialogs with the same name are distinguished by their start time. */
export function whoNames(dialogIds: readonly string[]): { readonly id: string; readonly name: string }[] {
  const counts = new Map<string, number>();
  for (const id of dialogIds) counts.set(slugOf(id), (counts.get(slugOf(id)) ?? 0) + 1);
  return dialogIds.map((id) => {
    const slug = slugOf(id);
    const [, year, month, day, hours, minutes] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/.exec(id) ?? [];
    return { id, name: counts.get(slug) === 1 || year === undefined ? slug : t.began(slug, `${year}-${month}-${day} ${hours}:${minutes}`) };
  });
}

export interface Day<Item> {
  readonly title: string;
  readonly items: readonly Item[];
}

/** Time zones differ by whole quarters of an hour, in milliseconds. Within a quarter, the day is the same in every time zone. */
const quarter = 900_000;

/** The items grouped by day in the reader's time zone, in order: "Today", "Yesterday", "Saturday, 21 November 2026". */
export function byDay<Item extends { readonly time: string }>(items: readonly Item[], now: number, place: LocaleOptions = {}): Day<Item>[] {
  const dayOf = days(now, place);
  const found = new Map<string, { readonly title: string; readonly items: Item[] }>();
  for (const item of items) {
    const { key, title } = dayOf(item.time);
    const day = found.get(key) ?? { title: title(), items: [] };
    found.set(key, day);
    day.items.push(item);
  }
  return Array.from(found.values());
}

/** The same for items that aren't ordered by time. Their order stays: a day's title appears wherever it begins again. */
export function inDays<Item extends { readonly time: string }>(
  items: readonly Item[],
  now: number,
  place: LocaleOptions = {},
): Day<Item>[] {
  const dayOf = days(now, place);
  const found: { readonly title: string; readonly items: Item[] }[] = [];
  let last: string | null = null;
  for (const item of items) {
    const { key, title } = dayOf(item.time);
    if (key === last) found.at(-1)?.items.push(item);
    else found.push({ title: title(), items: [item] });
    last = key;
  }
  return found;
}

/** The day of a time, and its title. */
function days(now: number, place: LocaleOptions): (time: string) => { readonly key: string; readonly title: () => string } {
  const plain = format("day-of", "sv", place, {});
  const full = format("long-day", place.locale, place, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const today = plain.format(now);
  const yesterday = dayBefore(now, (time) => plain.format(time));
  const known = new Map<number, string>();
  const keyOf = (at: number) => {
    const nth = Math.floor(at / quarter);
    const key = known.get(nth) ?? plain.format(at);
    known.set(nth, key);
    return key;
  };
  return (time) => {
    const at = Date.parse(time);
    const key = Number.isNaN(at) ? "" : keyOf(at);
    const title = () => (key === "" ? t.withoutDate : key === today ? t.today : key === yesterday ? t.yesterday : full.format(at));
    return { key, title };
  };
}

/** "21 November 2026, 20:14:05"; a text that isn't a time stays as it is. */
export function moment(iso: string, place: LocaleOptions = {}): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return format("long-moment", place.locale, place, { dateStyle: "long", timeStyle: "medium" }).format(date);
}

/** "main", "main and index.html", "a, b, c and 9 more". */
export const fileNames = (paths: readonly string[], most = named): string => listed(paths.map(fileTitle), most);

/** "a", "a and b", "a, b, c and 9 more". */
export function listed(names: readonly string[], most = named): string {
  const shown = names.slice(0, most);
  return t.listed(shown, names.length - shown.length);
}

/** The outcome of a restore, an undo or a redo, in plain words. */
export function outcomeWords({ changed, kept, damaged }: Omit<RestoreAnswer, "ok" | "commit">, done: t.Done): string {
  const isLeft = kept.length + damaged.length > 0;
  const first =
    changed.length === 0
      ? isLeft
        ? t.nothingDone
        : t.nothingToDo(done)
      : changed.length === 1
        ? t.oneDone(done, fileNames(changed))
        : t.severalDone(done, changed.length);
  const left = (files: readonly string[], words: typeof t.leftChanged) =>
    files.length === 0 ? [] : [words(files.length, fileNames(files, 8))];
  return [first, ...left(kept, t.leftChanged), ...left(damaged, t.leftDamaged)].join(" ");
}

/** The number of files by kind of change: "2 added, 1 removed". */
export function changeCounts(changes: readonly FileChange[]): string {
  return (["added", "changed", "removed"] as const)
    .map((kind) => [changes.filter(({ change }) => change === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => t.changeCount(kind, count))
    .join(", ");
}
