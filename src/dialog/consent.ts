import type { Dialog } from "./model.ts";
import type { HostWord } from "./ids.ts";
import { type ImportedWords, type NetworkWord, standing } from "./sections.ts";

/**
 * The user's decisions about hosts: what the commands of this dialog may do there. The last `Network` or `Network refused` line for a host decides.
 * Only files of formats 1 and 2 grant anything.
 */
export function networkOf(dialog: Dialog): ReadonlyMap<string, HostWord> {
  return hostsOf(standing(dialog).network);
}

/** Whether the last line about a host is one that Vibey up to 0.8.0 reads as permission for everything. */
export function isBareGrant(dialog: Dialog, host: string): boolean {
  for (let word = standing(dialog).network; word !== null; word = word.before) if (word.host === host) return word.bare;
  return false;
}

/** How many seconds a command of this dialog may run, according to its last `Limit: command` line. Null if there is no such line. */
export function commandSecondsOf(dialog: Dialog): number | null {
  return standing(dialog).commandSeconds;
}

/** What came with an import and waits for the user's decision. */
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
