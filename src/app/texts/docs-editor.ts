import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const description = "To leave the editor, press Escape, then Tab.";
export const foldSection = "Fold this section";
export const unfoldSection = "Unfold this section";
export const moreCharacters = (count: number) => `Show ${counted(count, "more character")}`;
export const taskDone = "Done";
export const openLink = (name: string) => `Open ${name}`;
/** `at`: the number of the selected match; 0: none. `more`: there may be more than were counted. */
export const found = (at: number, of: number, more: boolean) =>
  of === 0
    ? "No matches"
    : `${at === 0 ? "" : `${number(at)} of `}${number(of)}${more ? "+" : ""}${at === 0 ? (of === 1 ? " match" : " matches") : ""}`;
/** `mode`: normal, insert, replace, visual, visual line or visual block. */
export const viMode = (mode: string) => mode.toUpperCase();
export const docMissing = (name: string) => `${name} doesn't exist yet.`;

/** The editor's own phrases, by its English words. `$` stands for a number. The editor puts line numbers around "to" and "on line". */
export const phrases = {
  Find: "Find",
  Replace: "Replace",
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole word",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close",
  "current match": "current match",
  "on line": "on line",
  "replaced match on line $": "replaced match on line $",
  "replaced $ matches": "replaced $ matches",
  "Go to line": "Go to line",
  go: "go",
  "Folded lines": "Folded lines",
  "Unfolded lines": "Unfolded lines",
  to: "to",
  "Control character": "Control character",
  "Selection deleted": "Selection deleted",
} as const;
