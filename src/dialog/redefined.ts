import { agentOf } from "./agent.ts";
import type { Dialog, Meta, Section } from "./model.ts";

/*
 * The file of a run's agent can change while it works. What the dialog was told of that stands in it: a message of Vibey's with the new text, whose
 * head has `> Definition: <sha256>`. `> Applied: <time>` is the user's word that it be told so as soon as its turn is over. Its tools stay as they are.
 */

/** An agent's definition, as its file says it now. */
export interface Definition {
  /** SHA-256 of the text, hexadecimal. */
  readonly hash: string;
  readonly text: string;
}

const DEFINITION = "Definition";
const APPLIED = "Applied";

export const definitionLine = (hash: string): Meta => ({ key: DEFINITION, value: hash });
/** `time`: ISO 8601. */
export const appliedLine = (time: string): Meta => ({ key: APPLIED, value: time });

/** The hash of the definition that the section tells the agent; null: it tells none. */
export const definitionIn = ({ role, head }: Section): string | null =>
  role === "user" ? (head.findLast(({ key, value }) => key === DEFINITION && /^[0-9a-f]{64}$/.test(value))?.value ?? null) : null;

const asksIn = ({ head, parts }: Section): boolean =>
  [...head, ...parts.flatMap((part) => (part.kind === "meta" ? part.lines : []))].some(({ key }) => key === APPLIED);

/** The hash of the definition that the agent was told last; null: it has none. */
export function definitionKnown(dialog: Dialog): string | null {
  for (const section of dialog.sections.toReversed()) {
    const hash = definitionIn(section);
    if (hash !== null) return hash;
  }
  return agentOf(dialog)?.hash ?? null;
}

/** The user wants the agent to be told what its file says now, and it was not told since. */
export function isApplied({ sections }: Dialog): boolean {
  for (const section of sections.toReversed()) {
    if (asksIn(section)) return true;
    if (definitionIn(section) !== null) return false;
  }
  return false;
}
