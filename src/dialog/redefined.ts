import { agentOf } from "./agent.ts";
import type { Dialog, Meta, Section } from "./model.ts";

/*
 * The file of a run's agent can change while the agent works. The dialog records what the agent was told about that: a message by Vibey with the new
 * text, whose head has `> Definition: <sha256>`. With `> Applied: <time>` the user asks for that message as soon as the agent's turn is over. The
 * agent's tools don't change.
 */

/** An agent's definition, as its file says it now. */
export interface Definition {
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string;
  readonly text: string;
}

const DEFINITION = "Definition";
const APPLIED = "Applied";

export const definitionLine = (hash: string): Meta => ({ key: DEFINITION, value: hash });
/** `time`: ISO 8601. */
export const appliedLine = (time: string): Meta => ({ key: APPLIED, value: time });

/** The hash of the definition that the section tells the agent. Null if it tells none. */
export const definitionIn = ({ role, head }: Section): string | null =>
  role === "user" ? (head.findLast(({ key, value }) => key === DEFINITION && /^[0-9a-f]{64}$/.test(value))?.value ?? null) : null;

const asksIn = ({ head, parts }: Section): boolean =>
  [...head, ...parts.flatMap((part) => (part.kind === "meta" ? part.lines : []))].some(({ key }) => key === APPLIED);

/** The hash of the definition that the agent knows: the last one that it was told, or the one it started with. Null if it has none. */
export function definitionKnown(dialog: Dialog): string | null {
  for (const section of dialog.sections.toReversed()) {
    const hash = definitionIn(section);
    if (hash !== null) return hash;
  }
  return agentOf(dialog)?.hash ?? null;
}

/** Whether the user asked that the agent be told its new definition, and no section has told it since. */
export function isApplied({ sections }: Dialog): boolean {
  for (const section of sections.toReversed()) {
    if (asksIn(section)) return true;
    if (definitionIn(section) !== null) return false;
  }
  return false;
}
