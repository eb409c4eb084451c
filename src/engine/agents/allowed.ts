import { authorized, grants } from "../../dialog/authority.ts";
import { grantedValues } from "../../dialog/grants.ts";
import type { Dialog } from "../../dialog/model.ts";

/** What runs without asking in a dialog: names of tools, and values of lines with patterns. */
export const allowedIn = (dialog: Dialog): ReadonlySet<string> => new Set([...authorized(dialog), ...grantedValues(grants(dialog))]);

/** What a line of its header allows and the user has taken back since. */
export function takenBackIn(dialog: Dialog): ReadonlySet<string> {
  const now = allowedIn(dialog);
  return new Set(dialog.head.flatMap(({ key, value }) => (key === "Authorized" && !now.has(value) ? [value] : [])));
}
