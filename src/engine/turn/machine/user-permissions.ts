import { commandSecondsOf, networkOf } from "../../../dialog/consent.ts";
import type { HostWord } from "../../../dialog/ids.ts";
import type { State } from "./model.ts";

/*
 * What the user said of hosts and of limits: what stands in the file, and what was said while a section is being written and is written
 * at its end.
 */

type CurrentTurn = Pick<State, "dialog" | "turn">;

/** The hosts that the user said a word about, and the last word about each. */
export function networkSaid({ dialog, turn }: CurrentTurn): ReadonlyMap<string, HostWord> {
  const held = heldHosts(turn);
  return held.length === 0 ? networkOf(dialog) : new Map([...networkOf(dialog), ...held]);
}

/** What commands may do there now: what is taken back counts at once, leave counts when it is written. */
export function networkNow({ dialog, turn }: CurrentTurn): ReadonlyMap<string, HostWord> {
  const written = networkOf(dialog);
  const narrower = [...new Map(heldHosts(turn))].filter(([host, word]) => word === "refused" || !exceeds(word, written.get(host)));
  return narrower.length === 0 ? written : new Map([...written, ...narrower]);
}

/** How much a word lets out; a word that closes a host for more lets out as much as the open one. */
const widths: Readonly<Record<HostWord, number>> = {
  refused: 0,
  "GET only": 1,
  "GET only, no more": 1,
  "any method": 2,
  "any method, no uploads": 2,
  "any method and uploads": 3,
};

/** Whether `word` lets out more than `other`; undefined: nothing was said. */
export function exceeds(word: HostWord, other: HostWord | undefined): boolean {
  return widths[word] > (other === undefined ? 0 : widths[other]);
}

/** The user was asked for more and refused. */
export function isClosed(word: HostWord): boolean {
  return word === "GET only, no more" || word === "any method, no uploads";
}

/** Seconds that a command may run that starts next; null: the dialog does not say. */
export function commandSecondsSaid({ dialog, turn }: CurrentTurn): number | null {
  const held = turn?.held.findLast((change) => "commandSeconds" in change);
  return held?.commandSeconds ?? commandSecondsOf(dialog);
}

function heldHosts(turn: State["turn"]): (readonly [host: string, word: HostWord])[] {
  return (turn?.held ?? []).flatMap((change) => ("host" in change ? [[change.host, change.word] as const] : []));
}
