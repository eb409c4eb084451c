/** The history in words: who, when, what came of taking something back. */
import type { HistoryBy, HistoryCommit, HistoryCommitAnswer, RestoreAnswer } from "../../engine/api.ts";
import { slugOf } from "../docs/names.ts";
import { counted, format, type Place } from "../shell/words.ts";
import { fileTitle } from "./paths.ts";

export type FileChange = HistoryCommitAnswer["changes"][number];

/** File names that a sentence holds; of more it says how many. */
const named = 3;

/** "You", "Vibey", or the name of the dialog whose agent it was. */
export function who({ kind, dialogId }: HistoryBy): string {
  if (kind === "human") return "You";
  return kind === "dialog" && dialogId !== null ? slugOf(dialogId) : kind === "dialog" ? "An agent" : "Vibey";
}

/** Dialogs by their names; those that share one are told apart by when they began. */
export function whoNames(dialogIds: readonly string[]): { readonly id: string; readonly name: string }[] {
  const counts = new Map<string, number>();
  for (const id of dialogIds) counts.set(slugOf(id), (counts.get(slugOf(id)) ?? 0) + 1);
  return dialogIds.map((id) => {
    const slug = slugOf(id);
    const [, year, month, day, hours, minutes] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/.exec(id) ?? [];
    return { id, name: counts.get(slug) === 1 || year === undefined ? slug : `${slug}, ${year}-${month}-${day} ${hours}:${minutes}` };
  });
}

export interface Day {
  readonly title: string;
  readonly commits: readonly HistoryCommit[];
}

/** The commits of each day in the reader's own time, in their order: "Today", "Yesterday", "Saturday, 21 November 2026". */
export function byDay(commits: readonly HistoryCommit[], now: number, place: Place = {}): Day[] {
  const plain = format("whole day", "sv", place, {});
  const full = format("long day", place.locale, place, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  const today = plain.format(now);
  const yesterday = plain.format(now - 86_400_000);
  const days = new Map<string, { readonly title: string; readonly commits: HistoryCommit[] }>();
  for (const commit of commits) {
    const at = Date.parse(commit.time);
    const key = Number.isNaN(at) ? "" : plain.format(at);
    let day = days.get(key);
    if (day === undefined) {
      const title = key === "" ? "Without a date" : key === today ? "Today" : key === yesterday ? "Yesterday" : full.format(at);
      day = { title, commits: [] };
      days.set(key, day);
    }
    day.commits.push(commit);
  }
  return Array.from(days.values());
}

/** "21 November 2026, 20:14:05"; a text that is no time stands as it is. */
export function moment(iso: string, place: Place = {}): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return format("moment", place.locale, place, { dateStyle: "long", timeStyle: "medium" }).format(date);
}

/** "main", "main and index.html", "a, b, c and 9 more". */
export const fileNames = (paths: readonly string[], most = named): string => listed(paths.map(fileTitle), most);

/** "a", "a and b", "a, b, c and 9 more". */
export function listed(names: readonly string[], most = named): string {
  const titles = names.slice(0, most);
  const left = names.length - titles.length;
  if (left > 0) return `${titles.join(", ")} and ${left} more`;
  const last = titles.pop() ?? "";
  return titles.length === 0 ? last : `${titles.join(", ")} and ${last}`;
}

/** How files are after it was done to them: of one file, and of several. */
const outcomes = {
  restored: ["as it was then", "as they were then"],
  undone: ["as before again", "as before again"],
  redone: ["changed again", "changed again"],
} as const;

/** What came of a restore, an undo or doing it again, told plainly. */
export function outcomeWords({ changed, kept, damaged }: Omit<RestoreAnswer, "ok" | "commit">, done: keyof typeof outcomes): string {
  const [one, several] = outcomes[done];
  const left = kept.length + damaged.length;
  const first =
    changed.length === 0
      ? left === 0
        ? `Nothing had to be changed: every file is ${one} already.`
        : "No file was changed."
      : changed.length === 1
        ? `${fileNames(changed)} is ${one}.`
        : `${counted(changed.length, "file")} are ${several}.`;
  const leave = (files: readonly string[], why: string) =>
    files.length === 0 ? [] : [`Left as ${files.length === 1 ? "it is" : "they are"}, because ${why}: ${fileNames(files, 8)}.`];
  const rest = [...leave(kept, "changed since in the same places"), ...leave(damaged, "damaged in the history")];
  return [first, ...rest].join(" ");
}

/** How many files, of which kinds: "2 added, 1 removed". */
export function changeCounts(changes: readonly FileChange[]): string {
  return (["added", "changed", "removed"] as const)
    .map((kind) => [changes.filter(({ change }) => change === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count.toLocaleString()} ${kind}`)
    .join(", ");
}
