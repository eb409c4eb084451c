import { commandSecondsOf, networkOf } from "../../../dialog/consent.ts";
import type { HostWord } from "../../../dialog/ids.ts";
import type { State } from "./model.ts";

/**
 * What the user said about hosts and limits: what the file says, and what was said while a section is being written and will be written at its
 * end.
 */

type CurrentTurn = Pick<State, "dialog" | "turn">;

/** The hosts about which the user said something, with the last word for each. */
export function networkSaid({ dialog, turn }: CurrentTurn): ReadonlyMap<string, HostWord> {
  const held = heldHosts(turn);
  return held.length === 0 ? networkOf(dialog) : new Map([...networkOf(dialog), ...held]);
}

/** What commands may do on each host now. A restriction counts at once, a permission counts when it is written. */
export function networkNow({ dialog, turn }: CurrentTurn): ReadonlyMap<string, HostWord> {
  const written = networkOf(dialog);
  const narrower = [...new Map(heldHosts(turn))].filter(([host, word]) => word === "refused" || !exceeds(word, written.get(host)));
  return narrower.length === 0 ? written : new Map([...written, ...narrower]);
}

/** How much each word permits. A word that refuses further requests permits as much as the word without the refusal. */
const widths: Readonly<Record<HostWord, number>> = {
  refused: 0,
  "GET only": 1,
  "GET only, no more": 1,
  "any method": 2,
  "any method, no uploads": 2,
  "any method and uploads": 3,
};

/** Whether `word` permits more than `other`. Undefined if nothing was said. */
export function exceeds(word: HostWord, other: HostWord | undefined): boolean {
  return widths[word] > (other === undefined ? 0 : widths[other]);
}

/** Whether the user was asked for more and refused. */
export function isClosed(word: HostWord): boolean {
  return word === "GET only, no more" || word === "any method, no uploads";
}

/** The time limit of the next command, in seconds. Null if the dialog sets none. */
export function commandSecondsSaid({ dialog, turn }: CurrentTurn): number | null {
  const held = turn?.held.findLast((change) => "commandSeconds" in change);
  return held?.commandSeconds ?? commandSecondsOf(dialog);
}

function heldHosts(turn: State["turn"]): (readonly [host: string, word: HostWord])[] {
  return (turn?.held ?? []).flatMap((change) => ("host" in change ? [[change.host, change.word] as const] : []));
}
