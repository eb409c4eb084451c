import { type Definition, definitionKnown } from "../../dialog/redefined.ts";
import { runOf } from "../../dialog/run.ts";
import type { Live } from "../dialogs/live.ts";
import { labelled } from "../prompt/label.ts";
import { fileName } from "../scheduler/guardrails.ts";
import type { Runs } from "../scheduler/runs.ts";

/** What an agent is told when its file has changed. */
export function newDefinition(file: string, { hash, text }: Definition): Definition {
  const words = `From now on these are your instructions, in place of the earlier ones. Your tools stay the same.\n\n${text}`;
  return { hash, text: labelled(`${fileName(file)} was changed`, words) };
}

export interface RedefinedDeps {
  readonly runs: Pick<Runs, "read" | "member">;
  /** The agent definition in the file at this path. Null if no agent there can run. */
  readonly definition: (path: string) => Promise<Definition | null>;
}

/** What the dialog's agent is told before the user's message starts its next turn. Null if it knows its definition, or belongs to no run. */
export async function definitionToTell({ id, state: { dialog } }: Live, { runs, definition }: RedefinedDeps): Promise<Definition | null> {
  const own = runOf(dialog.head);
  if (own === null) return null;
  await runs.read(own.run);
  if (runs.member(id) === null) return null;
  const now = await definition(own.file);
  return now === null || now.hash === definitionKnown(dialog) ? null : newDefinition(own.file, now);
}
