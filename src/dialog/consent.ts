import type { Dialog } from "./model.ts";
import type { HostWord } from "./ids.ts";
import { type ImportedWords, type NetworkWord, standing } from "./sections.ts";

/**
 * The hosts that the user said a word about, and what the commands of this dialog may do there: of the `Network` and `Network refused`
 * lines the last one that names a host decides. Only files of Format 1 grant anything.
 */
export function networkOf(dialog: Dialog): ReadonlyMap<string, HostWord> {
  return hostsOf(standing(dialog).network);
}

/** Whether the last line about a host is one that Vibey up to 0.8.0 reads as leave for everything. */
export function isBareGrant(dialog: Dialog, host: string): boolean {
  for (let word = standing(dialog).network; word !== null; word = word.before) if (word.host === host) return word.bare;
  return false;
}

/** Seconds that a command of this dialog may run, as its last `Limit: command` line says; null: none says so. */
export function commandSecondsOf(dialog: Dialog): number | null {
  return standing(dialog).commandSeconds;
}

/** What came with an import and waits for the user's word. */
export function importedWords(dialog: Dialog): ImportedWords {
  return standing(dialog).imported;
}

const noHosts: ReadonlyMap<string, HostWord> = new Map();
const known = new WeakMap<NetworkWord, ReadonlyMap<string, HostWord>>();

function hostsOf(last: NetworkWord | null): ReadonlyMap<string, HostWord> {
  if (last === null) return noHosts;
  const found = known.get(last);
  if (found) return found;
  const hosts = new Map<string, HostWord>();
  for (let word: NetworkWord | null = last; word !== null; word = word.before) if (!hosts.has(word.host)) hosts.set(word.host, word.word);
  known.set(last, hosts);
  return hosts;
}
