import type { CopyFound, RecoveryAnswer } from "../../engine/api.ts";
import { fileSize, number, type Place } from "../shell/words.ts";
import * as t from "../texts/recovery.ts";
import { ago, moment } from "./ago.ts";

/** What a copy holds, as rows. */
export function copyRows(copy: CopyFound, now: number, place: Place = {}): readonly (readonly [term: string, value: string])[] {
  return [
    [t.docs, number(copy.docs, place)],
    [t.dialogs, number(copy.dialogs, place)],
    [t.otherFiles, number(copy.files, place)],
    [t.size, fileSize(copy.bytes, place)],
    [t.lastWritten, t.momentAndAgo(moment(copy.at, place), ago(copy.at, now))],
  ];
}

/** Whether all that is known is that a copy was begun: an empty storage, beside it nothing that was ever whole, and no note that anything was stored. */
export function isJustBegun({ why, copies, held, trouble, written }: RecoveryAnswer): boolean {
  return why === "empty" && copies.length === 0 && !held && !written && trouble === null;
}

/** What has happened to the project, for one who is frightened by it. */
export function lossWords(answer: RecoveryAnswer): { readonly title: string; readonly text: string } {
  if (isJustBegun(answer)) return { title: t.justBegunTitle, text: t.justBegun };
  switch (answer.why) {
    case "empty":
      return { title: t.emptyTitle, text: t.empty };
    case "unreadable":
      return { title: t.unreadableTitle, text: t.unreadable };
    case "gone":
      return { title: t.goneTitle, text: t.gone };
  }
}
