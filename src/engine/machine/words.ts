import { commandSecondsOf, networkOf } from "../format/consent.ts";
import type { State } from "./model.ts";

/*
 * What the human said of hosts and of limits: what stands in the file, and what was said while a section is being written and is written
 * at its end.
 */

type Said = Pick<State, "dialog" | "turn">;

/** The hosts that the human said a word about, and the last word about each. */
export function networkSaid({ dialog, turn }: Said): ReadonlyMap<string, boolean> {
  const held = heldHosts(turn);
  return held.length === 0 ? networkOf(dialog) : new Map([...networkOf(dialog), ...held]);
}

/** Whether commands may reach them now: what is taken back counts at once, leave counts when it is written. */
export function networkNow({ dialog, turn }: Said): ReadonlyMap<string, boolean> {
  const refused = [...new Map(heldHosts(turn))].filter(([, allow]) => !allow);
  return refused.length === 0 ? networkOf(dialog) : new Map([...networkOf(dialog), ...refused]);
}

/** Seconds that a command may run that starts next; null: the dialog does not say. */
export function commandSecondsSaid({ dialog, turn }: Said): number | null {
  const held = turn?.held.findLast((change) => "commandSeconds" in change);
  return held?.commandSeconds ?? commandSecondsOf(dialog);
}

function heldHosts(turn: State["turn"]): (readonly [host: string, allow: boolean])[] {
  return (turn?.held ?? []).flatMap((change) => ("host" in change ? [[change.host, change.allow] as const] : []));
}
