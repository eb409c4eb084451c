import { only } from "./meta.ts";
import type { Dialog, Meta } from "./model.ts";

/** The agent of a dialog, where a file defines it. The dialog holds the definition, so nothing else is needed to continue it. */
export interface DialogAgent {
  readonly slug: string;
  /** SHA-256 of `text`, hexadecimal. */
  readonly hash: string;
  /** The names of the tools that it may ask for. */
  readonly tools: readonly string[];
  /** Its definition: front matter and prompt; "" where the file was empty. */
  readonly text: string;
}

/**
 * Whether Vibey continues dialogs of this format. 2: it has an agent that a file defines, which earlier versions would ignore, or agents answer in
 * it, whose words they would take for the user's.
 */
export const isOwnFormat = (format: Dialog["format"]): boolean => format === 1 || format === 2;

const AGENT = "Agent";
const TOOLS = "Tools";
const none = "none";

/** The lines of the header that name an agent. */
export function agentLines({ slug, hash, tools }: DialogAgent): Meta[] {
  return [
    { key: AGENT, value: `${slug} ${hash}` },
    { key: TOOLS, value: tools.length === 0 ? none : tools.join(", ") },
  ];
}

/** A dialog with this definition before its first message. */
export function withDefinition(dialog: Dialog, { text }: DialogAgent): Dialog {
  return { ...dialog, format: 2, parts: text === "" ? dialog.parts : [{ kind: "text", text }, ...dialog.parts] };
}

const VALUE = /^([a-z0-9_][a-z0-9_-]{0,39}) ([0-9a-f]{64})$/;
const NAMES = /^[A-Za-z0-9_-]{1,64}(?:, [A-Za-z0-9_-]{1,64})*$/;

/**
 * The agent that the header names; null: none. Only the header counts, and a line that stands there twice, or can't be read, gives nothing:
 * then the agent has no tools.
 */
export function agentOf({ format, head, parts }: Pick<Dialog, "format" | "head" | "parts">): DialogAgent | null {
  if (format !== 2 || !head.some(({ key }) => key === AGENT || key === TOOLS)) return null;
  const [, slug = "agent", hash = ""] = VALUE.exec(only(head, AGENT) ?? "") ?? [];
  const names = only(head, TOOLS);
  const tools = hash !== "" && names !== null && names !== none && NAMES.test(names) ? names.split(", ") : [];
  const [first] = parts;
  return { slug, hash, tools, text: first?.kind === "text" ? first.text : "" };
}
