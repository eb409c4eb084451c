import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";

export const you = "You";
export const someAgent = "An agent";
export const vibey = "Vibey";
export const began = (dialog: string, time: string) => `${dialog}, ${time}`;

export const today = "Today";
export const yesterday = "Yesterday";
export const withoutDate = "Without a date";

/** "a", "a and b", "a, b, c and 9 more". `left`: how many more there are. */
export function listed(names: readonly string[], left: number): string {
  if (left > 0) return `${names.join(", ")} and ${number(left)} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** What was done to files, or what they are to be done to. */
export type Done = "restored" | "undone" | "redone";

export function nothingToDo(done: Done): string {
  switch (done) {
    case "restored":
      return "Nothing had to be changed: every file is as it was then already.";
    case "undone":
      return "Nothing had to be changed: every file is as before again already.";
    case "redone":
      return "Nothing had to be changed: every file is changed again already.";
  }
}
export const nothingDone = "No file was changed.";
export function oneDone(done: Done, file: string): string {
  switch (done) {
    case "restored":
      return `${file} is as it was then.`;
    case "undone":
      return `${file} is as before again.`;
    case "redone":
      return `${file} is changed again.`;
  }
}
export function severalDone(done: Done, files: number): string {
  switch (done) {
    case "restored":
      return `${counted(files, "file")} are as they were then.`;
    case "undone":
      return `${counted(files, "file")} are as before again.`;
    case "redone":
      return `${counted(files, "file")} are changed again.`;
  }
}
export const leftChanged = (files: number, names: string) =>
  files === 1
    ? `Left as it is, because changed since in the same places: ${names}.`
    : `Left as they are, because changed since in the same places: ${names}.`;
export const leftDamaged = (files: number, names: string) =>
  files === 1 ? `Left as it is, because damaged in the history: ${names}.` : `Left as they are, because damaged in the history: ${names}.`;

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
