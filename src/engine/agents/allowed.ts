import { authorized, grants, revoked } from "../../dialog/authority.ts";
import { grantedValues, takesBack } from "../../dialog/grants.ts";
import type { Dialog } from "../../dialog/model.ts";
import { isPattern, toolsOf } from "../../dialog/pattern.ts";
import { agentTools } from "./definition.ts";
import { allTools } from "./tool-permissions.ts";

/** What runs without approval in a dialog: names of tools, and values of lines with patterns. */
export const allowedIn = (dialog: Dialog): ReadonlySet<string> => new Set([...authorized(dialog), ...grantedValues(grants(dialog))]);

/** The maximum number of `Revoked` values that a new dialog inherits. */
const maxTakenBack = 50;

/**
 * What the user has revoked in a dialog. A dialog that continues it, forks it or works for it doesn't have these permissions either, whatever doc-main.md
 * says, until the user allows them there. If there are very many patterns, their whole tools are revoked instead.
 */
export function takenBackIn(dialog: Dialog): ReadonlySet<string> {
  const known = new Set<string>([...allTools, ...agentTools]);
  const values = [...revoked(dialog)].filter((value) => known.has(value) || isPattern(value));
  return new Set(values.length <= maxTakenBack ? values : values.flatMap(toolsOf));
}

/** Whether the revoked values cover this tool or pattern. */
export const isTakenBack = (value: string, takenBack: ReadonlySet<string>): boolean => [...takenBack].some((one) => takesBack(one, value));
