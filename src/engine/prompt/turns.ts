import type { Call, Dialog, JsonObject, Meta, Section } from "../../dialog/model.ts";
import { fromOf } from "../../dialog/replies.ts";
import { agentName } from "../../dialog/mentions/agent-name.ts";
import { continuing, type Maker } from "./continue-note.ts";
import { contextNotice, withNotice } from "./notice.ts";
import { wireIds, wireToolName } from "./ids.ts";
import { wellFormedObject } from "./json.ts";
import { labelled } from "./label.ts";
import { isInvalid, outcomeOf } from "./call-result.ts";
import { isBlank, wellFormed } from "./text.ts";

/**
 * What a dialog says to a model, in file order and before any API's own rules.
 *
 * - One turn is one section. A section with nothing to send gives no turn, so adjacent turns may have the same role.
 * - No text is blank or has a lone surrogate. A section never has two adjacent texts.
 * - Every call has a unique id, a name and an input that every API accepts, and an outcome.
 * - Only text, calls and outcomes: no metadata lines except an assistant's own `> Waiting:`. Text before the first section has no author and is
 *   not sent.
 * - An assistant's `> Context:` line becomes a notice after the text that follows its section: the outcome of its last call, or else the next
 *   user turn. Earlier turns stay the same.
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

/**
 * `maxIdLength` is the maximum length of a call id in the API. Sections never change, so a turn is computed once and stays the same object as
 * long as its ids and its notice are the same. So repeated requests cost only what is new.
 */
export function turnsOf({ sections }: Dialog, maxIdLength: number): Turn[] {
  let make = makers.get(maxIdLength);
  if (!make) makers.set(maxIdLength, (make = continuing(() => turnMaker(maxIdLength))));
  return make(sections);
}

/** One for each maximum id length. */
const makers = new Map<number, (sections: readonly Section[]) => Turn[]>();

function turnMaker(maxIdLength: number): Maker<Section, Turn> {
  const ids = wireIds(maxIdLength);
  /** The state at the start of section n: how many ids were given, and a notice that has not been sent yet. */
  const states: { readonly ids: number; readonly untold: string | null }[] = [{ ids: 0, untold: null }];
  return {
    add(section, turns) {
      const untold = states.at(-1)?.untold ?? null;
      const { callIds, notice: own } = factsOf(section);
      const wire = callIds.map((id) => ids.next(id));
      const notice = section.role === "user" ? untold : own;
      const { turn } = known(section, wire, notice) ?? remember(section, wire, notice);
      if (turn) turns.push(turn);
      const told = section.role === "user" ? turn !== null : notice !== null && callIds.length > 0;
      states.push({ ids: ids.count, untold: told ? null : (notice ?? untold) });
      return true;
    },
    cut(count) {
      states.length = count + 1;
      ids.cut(states.at(-1)?.ids ?? 0);
    },
  };
}

/** The facts of a section that don't depend on earlier sections. Only an assistant's calls are sent. */
interface Facts {
  readonly callIds: readonly string[];
  readonly notice: string | null;
}

/** What the section says after the sections before it. `turn` is null if there is nothing to send. */
interface SectionMessage {
  readonly wire: readonly string[];
  readonly notice: string | null;
  readonly turn: Turn | null;
}

const facts = new WeakMap<Section, Facts>();
const said = new WeakMap<Section, SectionMessage>();

function factsOf(section: Section): Facts {
  const found = facts.get(section);
  if (found) return found;
  const callIds = section.parts.flatMap((part) => (part.kind === "call" ? [part.call.id] : []));
  const made = section.role === "user" ? { callIds: [], notice: null } : { callIds, notice: contextNotice(section) };
  facts.set(section, made);
  return made;
}

function known(section: Section, wire: readonly string[], notice: string | null): SectionMessage | undefined {
  const before = said.get(section);
  return before && before.notice === notice && before.wire.every((id, at) => id === wire[at]) ? before : undefined;
}

function remember(section: Section, wire: readonly string[], notice: string | null): SectionMessage {
  const turn = section.role === "user" ? userTurn(section, notice) : assistantTurn(section, wire, notice);
  const made = { wire, notice, turn };
  said.set(section, made);
  return made;
}

/**
 * A call in a user's section was added by hand. No model made it, so it is not sent. An agent's answer is sent after a label with its name, with
 * other lines indented, so that it can't pass for the user's.
 */
function userTurn(section: Section, notice: string | null): UserTurn | null {
  const from = fromOf(section);
  const words = section.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  const text = from?.kind === "agent" && !isBlank(words) ? labelled(`${agentName(from.agent)} (AI)`, words) : words;
  return isBlank(text) ? null : { role: "user", text: withNotice(wellFormed(text), notice) };
}

function assistantTurn(section: Section, wire: readonly string[], notice: string | null): AssistantTurn | null {
  let calls = 0;
  const items: Item[] = [];
  let texts = waitingLines(section.head);
  const closeText = () => {
    // Some models reject white space at the end of an assistant's text. It is removed everywhere, so that a later turn doesn't change the bytes
    // of an earlier one.
    const text = wellFormed(texts.join("\n\n")).trimEnd();
    texts = [];
    if (!isBlank(text)) items.push({ kind: "text", text });
  };
  for (const part of section.parts) {
    if (part.kind === "text") texts.push(part.text);
    else if (part.kind === "meta") texts.push(...waitingLines(part.lines));
    else {
      closeText();
      const id = wire[calls] ?? "";
      calls += 1;
      items.push({ kind: "call", call: answered(part.call, id, calls === wire.length ? notice : null) });
    }
  }
  closeText();
  return items.length === 0 ? null : { role: "assistant", items };
}

function waitingLines(lines: readonly Meta[]): string[] {
  return lines.flatMap((line) => (line.key === "Waiting" && !isBlank(line.value) ? [`> Waiting: ${line.value}`] : []));
}

/** Input that isn't an object is sent as `{}`, because APIs accept nothing else. The outcome says what was wrong. */
function answered(call: Call, id: string, notice: string | null): AnsweredCall {
  const { text, isError } = outcomeOf(call);
  const { input } = call;
  return {
    id,
    name: wireToolName(call.name),
    input: isInvalid(input) ? {} : wellFormedObject(input),
    outcome: { text: withNotice(text, notice), isError },
  };
}
