import type { CopyFound, RecoveryAnswer } from "../../engine/api.ts";
import { counted, fileSize, type Place } from "../shell/words.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, in the largest unit of which there is one. */
export function ago(at: number, now: number): string {
  const ms = Math.max(0, now - at);
  if (ms < minute) return "less than a minute ago";
  if (ms < hour) return `${counted(Math.floor(ms / minute), "minute")} ago`;
  if (ms < day) return `${counted(Math.floor(ms / hour), "hour")} ago`;
  return `${counted(Math.floor(ms / day), "day")} ago`;
}

/** The same time whole: date, and time of day. */
export function moment(at: number, place: Place = {}): string {
  return new Date(at).toLocaleString(place.locale, {
    dateStyle: "long",
    timeStyle: "short",
    ...(place.timeZone === undefined ? {} : { timeZone: place.timeZone }),
  });
}

/** What a copy holds, as rows. */
export function copyRows(copy: CopyFound, now: number, place: Place = {}): readonly (readonly [term: string, value: string])[] {
  return [
    ["Docs", String(copy.docs)],
    ["Dialogs", String(copy.dialogs)],
    ["Other files", String(copy.files)],
    ["Size", fileSize(copy.bytes)],
    ["Last written", `${moment(copy.at, place)} (${ago(copy.at, now)})`],
  ];
}

/** Whether all that is known is that a copy was begun: an empty storage, beside it nothing that was ever whole, and no note that anything was stored. */
export function isJustBegun({ why, copies, held, trouble, written }: RecoveryAnswer): boolean {
  return why === "empty" && copies.length === 0 && !held && !written && trouble === null;
}

/** What has happened to the project, for one who is frightened by it. */
export function lossWords(answer: RecoveryAnswer): { readonly title: string; readonly text: string } {
  if (isJustBegun(answer))
    return {
      title: "No project was found here",
      text: "The browser's storage is empty, and beside it is a copy that was begun and never finished. A first visit that broke off within seconds, by a power failure for one, leaves just that. If you had a project here, close the browser and open it again first; a zip that you exported can be imported once a project is open.",
    };
  switch (answer.why) {
    case "empty":
      return {
        title: "Your project is not in its place",
        text: "The browser opened an empty storage. That happens when its storage was damaged, or cleared in part. Vibey has written nothing since.",
      };
    case "unreadable":
      return {
        title: "Your project can't be read",
        text: "The browser's storage for it does not open, or contradicts itself. Closing the browser and opening it again may help: try that first, since a restore replaces what is still there. Vibey has changed nothing.",
      };
    case "gone":
      return {
        title: "Your project was taken away while it was open",
        text: "The browser, or somebody in another tab, has removed its storage. Vibey has written nothing since.",
      };
  }
}
