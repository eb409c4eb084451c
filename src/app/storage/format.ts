import type { CopyFound, OpenedFound, RecoveryAnswer } from "../../protocol/index.ts";
import { fileSize, number, type LocaleOptions } from "../ui/format.ts";
import * as both from "../texts/recovery-both.ts";
import * as t from "../texts/recovery.ts";
import { ago, moment } from "./ago.ts";

/** The contents of a backup, as rows. */
export function copyRows(copy: CopyFound, now: number, place: LocaleOptions = {}): readonly (readonly [term: string, value: string])[] {
  return [
    [t.docs, number(copy.docs, place)],
    [t.dialogs, number(copy.dialogs, place)],
    [t.otherFiles, number(copy.files, place)],
    [t.size, fileSize(copy.bytes, place)],
    [t.lastWritten, t.momentAndAgo(moment(copy.at, place), ago(copy.at, now))],
  ];
}

type Side = Pick<CopyFound, "docs" | "dialogs" | "files" | "bytes" | "at">;

/** What opened and what was found beside it, as rows of a table. */
export function sideRows(
  opened: OpenedFound,
  other: Side | null,
  now: number,
  place: LocaleOptions = {},
): readonly (readonly [string, string, string])[] {
  const row = (term: string, word: (side: Side) => string) => [term, word(opened), other ? word(other) : both.none] as const;
  return [
    row(t.docs, ({ docs }) => number(docs, place)),
    row(t.dialogs, ({ dialogs }) => number(dialogs, place)),
    row(t.otherFiles, ({ files }) => number(files, place)),
    row(t.size, ({ bytes }) => fileSize(bytes, place)),
    row(both.lastChange, ({ at }) => t.momentAndAgo(moment(at, place), ago(at, now))),
  ];
}

/** What the settings remember about a project of which nothing else is left; null: nothing. */
export function rememberedWords({ copies, remembered, written }: RecoveryAnswer, now: number, place: LocaleOptions = {}): string | null {
  if (copies.length > 0) return null;
  if (remembered === null) return written ? both.rememberedWritten : null;
  const { docs, dialogs, files, at } = remembered;
  return both.rememberedNothingLeft(number(docs, place), number(dialogs, place), number(files, place), ago(at, now));
}

/**
 * Whether nothing is known except that a backup was started: the storage is empty, there is no complete backup, and no note that anything was stored.
 */
export function isJustBegun({ why, copies, held, trouble, written }: RecoveryAnswer): boolean {
  return why === "empty" && copies.length === 0 && !held && !written && trouble === null;
}

/** What has happened to the project, worded for a worried user. */
export function lossWords(answer: RecoveryAnswer): { readonly title: string; readonly text: string } {
  if (isJustBegun(answer)) return { title: t.justBegunTitle, text: t.justBegun };
  switch (answer.why) {
    case "empty":
      return { title: t.emptyTitle, text: t.empty };
    case "unreadable":
      return { title: t.unreadableTitle, text: t.unreadable };
    case "gone":
      return { title: t.goneTitle, text: t.gone };
    case "behind":
      return { title: both.behindTitle, text: both.behind };
    case "other":
      return { title: both.otherTitle, text: both.other };
    case "partial":
      return { title: both.partialTitle, text: both.partial };
  }
}
