import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const you = "You";
export const someAgent = "An agent";
export const vibey = "Vibey";
export const began = (dialog: string, time: string) => `${dialog}, ${time}`;

export const today = "Today";
export const yesterday = "Yesterday";
export const withoutDate = "Unknown date";

/** "a", "a and b", "a, b, c and 9 more". `left`: the number of further names. */
export function listed(names: readonly string[], left: number): string {
  if (left > 0) return `${names.join(", ")} and ${number(left)} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")}${names.length > 2 ? "," : ""} and ${names.at(-1) ?? ""}`;
}

/** What was done to files, or will be. */
export type Done = "restored" | "undone" | "redone";

export function nothingToDo(done: Done): string {
  switch (done) {
    case "restored":
      return "Nothing to restore: every file already matches that version.";
    case "undone":
      return "Nothing to undo: every file is already back to how it was.";
    case "redone":
      return "Nothing to redo: every file already has this change.";
  }
}
export const nothingDone = "No files were changed.";
export function oneDone(done: Done, file: string): string {
  switch (done) {
    case "restored":
      return `Restored ${file}.`;
    case "undone":
      return `Undid the change to ${file}.`;
    case "redone":
      return `Redid the change to ${file}.`;
  }
}
export function severalDone(done: Done, files: number): string {
  switch (done) {
    case "restored":
      return `Restored ${counted(files, "file")}.`;
    case "undone":
      return `Undid changes to ${counted(files, "file")}.`;
    case "redone":
      return `Redid changes to ${counted(files, "file")}.`;
  }
}
export const leftChanged = (_files: number, names: string) => `Skipped because the same lines have changed since: ${names}.`;
export const leftDamaged = (files: number, names: string) =>
  files === 1 ? `Skipped because the saved version is damaged: ${names}.` : `Skipped because the saved versions are damaged: ${names}.`;

export type Change = "added" | "changed" | "removed";

export function changeName(change: Change): string {
  switch (change) {
    case "added":
      return "added";
    case "changed":
      return "changed";
    case "removed":
      return "removed";
  }
}
export function changeCount(change: Change, files: number): string {
  switch (change) {
    case "added":
      return `${number(files)} added`;
    case "changed":
      return `${number(files)} changed`;
    case "removed":
      return `${number(files)} removed`;
  }
}
