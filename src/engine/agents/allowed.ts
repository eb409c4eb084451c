import { authorized, grants, revoked } from "../../dialog/authority.ts";
import { grantedValues, takesBack } from "../../dialog/grants.ts";
import type { Dialog } from "../../dialog/model.ts";
import { isPattern, toolsOf } from "../../dialog/pattern.ts";
import { agentTools } from "./definition.ts";
import { allTools } from "./tool-permissions.ts";

/** What runs without asking in a dialog: names of tools, and values of lines with patterns. */
export const allowedIn = (dialog: Dialog): ReadonlySet<string> => new Set([...authorized(dialog), ...grantedValues(grants(dialog))]);

/** Values of `Revoked` lines that a new dialog takes along. */
const maxTakenBack = 50;

/**
 * What the user has taken back in a dialog: a dialog that continues, forks or serves it has none of that, whatever doc-main.md says, until the user
 * allows it there. Where there are very many patterns, their tools stand for them.
 */
export function takenBackIn(dialog: Dialog): ReadonlySet<string> {
  const known = new Set<string>([...allTools, ...agentTools]);
  const values = [...revoked(dialog)].filter((value) => known.has(value) || isPattern(value));
  return new Set(values.length <= maxTakenBack ? values : values.flatMap(toolsOf));
}

/** Whether what was taken back holds for this tool or pattern, too. */
export const isTakenBack = (value: string, takenBack: ReadonlySet<string>): boolean => [...takenBack].some((one) => takesBack(one, value));
