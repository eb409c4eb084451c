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
export function fileNames(paths: readonly string[], most = named): string {
  const titles = paths.slice(0, most).map(fileTitle);
  const left = paths.length - titles.length;
  if (left > 0) return `${titles.join(", ")} and ${left} more`;
  const last = titles.pop() ?? "";
  return titles.length === 0 ? last : `${titles.join(", ")} and ${last}`;
}

/** What came of a restore or an undo, told plainly. */
export function outcomeWords({ changed, kept }: Pick<RestoreAnswer, "changed" | "kept">, done: "restored" | "undone"): string {
  const read = done === "restored" ? "as they were then" : "as before again";
  const reads = done === "restored" ? "as it was then" : "as before again";
  const first =
    changed.length === 0
      ? kept.length === 0
        ? `Nothing had to be changed: every file is ${reads} already.`
        : "No file was changed."
      : changed.length === 1
        ? `${fileNames(changed)} is ${reads}.`
        : `${counted(changed.length, "file")} are ${read}.`;
  if (kept.length === 0) return first;
  const why = "changed since in the same places";
  return `${first} Left as ${kept.length === 1 ? "it is" : "they are"}, because ${why}: ${fileNames(kept, 8)}.`;
}

/** How many files, of which kinds: "2 added, 1 removed". */
export function changeCounts(changes: readonly FileChange[]): string {
  return (["added", "changed", "removed"] as const)
    .map((kind) => [changes.filter(({ change }) => change === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${count.toLocaleString()} ${kind}`)
    .join(", ");
}
