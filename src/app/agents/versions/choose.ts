import type { AgentVersion } from "../../../protocol/index.ts";

/** Enough digits of a hash to tell versions apart by eye. */
export const shortHash = (hash: string): string => hash.slice(0, 8);

/** The version that a change, or the hash of a definition, names; of several with that hash the newest. null: none of these. */
export function chosenVersion(versions: readonly AgentVersion[], named: string | null): AgentVersion | null {
  if (named === null) return versions[0] ?? null;
  return versions.find(({ commit }) => commit === named) ?? versions.find(({ hash }) => hash === named) ?? null;
}

/** What a version is compared with: the one that was picked, else the newest; the newest itself with the one before it. null: there is no other. */
export function comparedWith(versions: readonly AgentVersion[], version: AgentVersion, picked: string | null): AgentVersion | null {
  const others = versions.filter(({ commit }) => commit !== version.commit);
  return others.find(({ commit }) => commit === picked) ?? others[0] ?? null;
}

/** Both, the older one first; null: there is but one. `versions`: newest first. */
export function inOrder(
  versions: readonly AgentVersion[],
  one: AgentVersion,
  other: AgentVersion | null,
): { readonly older: AgentVersion; readonly newer: AgentVersion } | null {
  if (other === null) return null;
  const at = (version: AgentVersion): number => versions.findIndex(({ commit }) => commit === version.commit);
  return at(one) > at(other) ? { older: one, newer: other } : { older: other, newer: one };
}
