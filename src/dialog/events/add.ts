import { agent, human, vibey } from "../../fs/actor.ts";
import type { Anchor, DialogEvent, EventData, Severity } from "./model.ts";
import type { Moment } from "./clock.ts";

/** Adds an event at the place that is being read. */
export type Add = (data: EventData, moment: Moment, more?: More) => void;

export interface More {
  /** Missing: the dialog's agent. */
  readonly actor?: "human" | "vibey" | { readonly agent: string };
  /** Missing: `info`. */
  readonly severity?: Severity;
}

/** Makes events of one place. Several of one type there are numbered from the second one on. */
export function adder(into: DialogEvent[], dialogId: string, generation: number, place: string, anchor: Anchor | null): Add {
  const counts = new Map<string, number>();
  return (data, { time, exact }, { actor, severity = "info" } = {}) => {
    const before = counts.get(data.type) ?? 0;
    counts.set(data.type, before + 1);
    into.push({
      ...data,
      id: `${dialogId}/${generation}/${place}.${data.type}${before === 0 ? "" : `.${before}`}`,
      time,
      exact,
      severity,
      actor: actor === "human" ? human : actor === "vibey" ? vibey : agent(actor?.agent ?? dialogId),
      dialogId,
      anchor,
    });
  };
}
