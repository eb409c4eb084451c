import type { Dialog } from "./model.ts";
import { type ImportedWords, type NetworkWord, standing } from "./sections.ts";

/**
 * The hosts that the human said a word about, and whether the commands of this dialog may reach them: of the `Network` and `Network refused`
 * lines the last one that names a host decides. Only files of Format 1 grant anything.
 */
export function networkOf(dialog: Dialog): ReadonlyMap<string, boolean> {
  return hostsOf(standing(dialog).network);
}

/** Seconds that a command of this dialog may run, as its last `Limit: command` line says; null: none says so. */
export function commandSecondsOf(dialog: Dialog): number | null {
  return standing(dialog).commandSeconds;
}

/** What came with an import and waits for the human's word. */
export function importedWords(dialog: Dialog): ImportedWords {
  return standing(dialog).imported;
}

const nobody: ReadonlyMap<string, boolean> = new Map();
const known = new WeakMap<NetworkWord, ReadonlyMap<string, boolean>>();

function hostsOf(last: NetworkWord | null): ReadonlyMap<string, boolean> {
  if (last === null) return nobody;
  const found = known.get(last);
  if (found) return found;
  const hosts = new Map<string, boolean>();
  for (let word: NetworkWord | null = last; word !== null; word = word.before) if (!hosts.has(word.host)) hosts.set(word.host, word.allow);
  known.set(last, hosts);
  return hosts;
}
