import { counted } from "./counted.ts";

/** Before the text of a row, for screen readers. */
export const added = "added: ";
export const removed = "removed: ";
export const unchanged = (lines: number) => `${counted(lines, "line")} unchanged`;
export const showMore = (lines: number) => `Show ${counted(lines, "more line")}`;
export const changesOnly = "Show changes only";
export const fullDiff = "Show full diff";

/** Above a diff whose texts were not compared. */
export const notCompared = "These texts are too different to compare: all of the old text is shown, then all of the new.";
