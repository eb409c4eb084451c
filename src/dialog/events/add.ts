import { type Actor, agent, human, vibey } from "../../fs/actor.ts";
import type { Anchor, DialogEvent, EventData, Severity } from "./model.ts";
import type { Moment } from "./clock.ts";

/** Adds an event at the place being read. */
export type Add = (data: EventData, moment: Moment, more?: More) => void;

export interface More {
  /** Missing: the owner of the dialog. */
  readonly actor?: "human" | "vibey" | { readonly agent: string };
  /** Missing: `info`. */
  readonly severity?: Severity;
}

/** What the events of a place have in common. */
export interface EventSource extends Pick<DialogEvent, "dialogId" | "agentId" | "turn"> {
  readonly generation: number;
  /** As it appears in ids. */
  readonly place: string;
  readonly anchor: Anchor | null;
  /** The owner of the dialog. Missing: the dialog's own agent. */
  readonly own?: Actor;
}

/** Creates the events of one place. From the second one on, events of the same type get a number. */
export function adder(
  into: DialogEvent[],
  { dialogId, agentId, turn, generation, place, anchor, own = agent(dialogId) }: EventSource,
): Add {
  const counts = new Map<string, number>();
  return (data, { time, exact }, { actor, severity = "info" } = {}) => {
    const before = counts.get(data.type) ?? 0;
    counts.set(data.type, before + 1);
    // The fields are listed explicitly: copying them with a spread would take most of the time that events cost.
    const event = {
      type: data.type,
      data: data.data,
      id: `${dialogId}/${generation}/${place}.${data.type}${before === 0 ? "" : `.${before}`}`,
      time,
      exact,
      severity,
      actor: actor === "human" ? human : actor === "vibey" ? vibey : actor === undefined ? own : agent(actor.agent),
      dialogId,
      agentId,
      turn,
      anchor,
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- type and data are of one event
    into.push(event as DialogEvent);
  };
}
