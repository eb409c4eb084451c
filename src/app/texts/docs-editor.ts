import { number } from "../ui/words.ts";

export const description = "Escape and then Tab leaves the text.";
export const foldSection = "Fold this section";
export const unfoldSection = "Unfold this section";
export const taskDone = "Done";
export const openLink = (name: string) => `Open ${name}`;
/** `at`: which of the hits is selected, from 1; 0: none. `more`: there may be more than are counted. */
export const found = (at: number, of: number, more: boolean) =>
  of === 0
    ? "No hits"
    : `${at === 0 ? "" : `${number(at)} of `}${number(of)}${more ? "+" : ""}${at === 0 ? (of === 1 ? " hit" : " hits") : ""}`;
/** `mode`: normal, insert, replace, visual, visual line or visual block. */
export const viMode = (mode: string) => mode.toUpperCase();
export const docMissing = (name: string) => `There is no ${name} yet.`;

/** What the editor itself says, by its own words. `$` stands for a number. What it puts around "to" and "on line" are numbers of lines. */
export const phrases = {
  Find: "Find",
  Replace: "Replace",
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Same case",
  regexp: "Pattern",
  "by word": "Whole words",
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
