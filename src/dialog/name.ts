/** The last word of a dialog's file name. */
export type DialogStatus = "active" | "waiting" | "done";

export interface DialogName {
  /** `<YYYYMMDD-HHmmss>-<slug>`. Never changes. */
  readonly dialogId: string;
  readonly status: DialogStatus;
  readonly slug: string;
  /** In UTC, to the second. */
  readonly time: Date;
}

/** Characters of a slug, including the number that makes it unique. */
const LONGEST_SLUG = 40;

const NAME = /^dialog-(\d{8}-\d{6})-([a-z0-9-]+)-(active|waiting|done)\.md$/;
const STATUSES: readonly DialogStatus[] = ["active", "waiting", "done"];
const STATUS_AT_END = /(?:^|-)(?:active|waiting|done)$/;

/**
 * Lower case, with each run of characters other than `a-z0-9` replaced by one `-`, none at either end, at most 40 characters. Never empty and never
 * ends in a status word. Idempotent: `slugify(slugify(text))` is `slugify(text)`.
 */
export function slugify(text: string): string {
  return fit(text.toLowerCase().replace(/[^a-z0-9]+/g, "-"), LONGEST_SLUG);
}

export function dialogId(time: Date, slug: string): string {
  return `${dialogStamp(time)}-${slugify(slug)}`;
}

/** The prefix of the ids of all dialogs created in this second. */
export function dialogStamp(time: Date): string {
  return time.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}

/** An id that is not taken: the plain one, or with `-2`, `-3` … */
export function freeDialogId(time: Date, slug: string, taken: (id: string) => boolean): string {
  const plain = dialogId(time, slug);
  if (!taken(plain)) return plain;
  for (let nth = 2; ; nth++) {
    const id = dialogId(time, `${fit(slugify(slug), LONGEST_SLUG - `-${nth}`.length)}-${nth}`);
    if (!taken(id)) return id;
  }
}

export function dialogFilename(id: string, status: DialogStatus): string {
  return `dialog-${id}-${status}.md`;
}

export function isDialogId(text: string): boolean {
  return parseDialogFilename(dialogFilename(text, "done"))?.dialogId === text;
}

/** Null if it is not the name of a dialog's file. */
export function parseDialogFilename(name: string): DialogName | null {
  const [, stamp, slug, word] = NAME.exec(name) ?? [];
  const status = STATUSES.find((each) => each === word);
  if (stamp === undefined || slug === undefined || status === undefined) return null;
  const time = readStamp(stamp);
  return time && { dialogId: `${stamp}-${slug}`, status, slug, time };
}

/** Cuts and trims until the result is a slug. */
function fit(dashed: string, longest: number): string {
  let slug = dashed;
  for (;;) {
    const shorter = slug.replace(/^-/, "").slice(0, longest).replace(/-$/, "").replace(STATUS_AT_END, "");
    if (shorter === slug) return slug === "" ? "dialog" : slug;
    slug = shorter;
  }
}

/** Null if there is no such time. */
function readStamp(stamp: string): Date | null {
  const iso = stamp.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6.000Z");
  const time = new Date(iso);
  return !Number.isNaN(time.getTime()) && time.toISOString() === iso ? time : null;
}
