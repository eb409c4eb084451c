import type { Call, Dialog, JsonObject, Meta, Section } from "../format/model.ts";
import { wireIds, wireToolName } from "./ids.ts";
import { wellFormedObject } from "./json.ts";
import { isInvalid, outcomeOf } from "./result.ts";
import { isBlank, wellFormed } from "./text.ts";

/**
 * What a dialog says to a model, in the order of the file and before any wire's own rules.
 *
 * - One turn is one section; a section with nothing to send gives none, so neighbours may have the same role.
 * - No text is blank or holds a lone surrogate; two texts of one section never stand side by side.
 * - Every call has an id that no other has, a name and an input that every wire takes, and an outcome.
 * - Only text, calls and outcomes: no metadata line but an assistant's own `> Waiting:`. What stands before the first
 *   section belongs to nobody and is not sent.
 */
export type Turn = UserTurn | AssistantTurn;

export interface UserTurn {
  readonly role: "user";
  readonly text: string;
}

export interface AssistantTurn {
  readonly role: "assistant";
  readonly items: readonly Item[];
}

export type Item = { readonly kind: "text"; readonly text: string } | { readonly kind: "call"; readonly call: AnsweredCall };

export interface AnsweredCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly outcome: { readonly text: string; readonly isError: boolean };
}

/** `maxIdLength` is how long a call id may be on the wire. */
export function turnsOf(dialog: Dialog, maxIdLength: number): Turn[] {
  const ids = wireIds(maxIdLength);
  return dialog.sections.flatMap((section) => (section.role === "user" ? userTurn(section) : assistantTurn(section, ids)));
}

/** A call in a user's section can only come from a hand; nobody asked for it, so it is not sent. */
function userTurn(section: Section): Turn[] {
  const text = section.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  return isBlank(text) ? [] : [{ role: "user", text: wellFormed(text) }];
}

function assistantTurn(section: Section, ids: (id: string) => string): Turn[] {
  const items: Item[] = [];
  let texts = waitingLines(section.head);
  const closeText = () => {
    // White space at the end of an assistant's text is refused by some models, and goes wherever the text stands, so that
    // a later turn does not change the bytes of an earlier one.
    const text = wellFormed(texts.join("\n\n")).trimEnd();
    texts = [];
    if (!isBlank(text)) items.push({ kind: "text", text });
  };
  for (const part of section.parts) {
    if (part.kind === "text") texts.push(part.text);
    else if (part.kind === "meta") texts.push(...waitingLines(part.lines));
    else {
      closeText();
      items.push({ kind: "call", call: answered(part.call, ids) });
    }
  }
  closeText();
  return items.length === 0 ? [] : [{ role: "assistant", items }];
}

function waitingLines(lines: readonly Meta[]): string[] {
  return lines.flatMap((line) => (line.key === "Waiting" && !isBlank(line.value) ? [`> Waiting: ${line.value}`] : []));
}

/** Input that was no object goes as `{}`: a wire takes nothing else, and the outcome says what was wrong. */
function answered(call: Call, ids: (id: string) => string): AnsweredCall {
  return {
    id: ids(call.id),
    name: wireToolName(call.name),
    input: isInvalid(call.input) ? {} : wellFormedObject(call.input),
    outcome: outcomeOf(call),
  };
}
