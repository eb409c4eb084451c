import type { AgentVersion } from "../../../protocol/index.ts";

/** Enough digits of a hash to tell versions apart. */
export const shortHash = (hash: string): string => hash.slice(0, 8);

/** The version with this commit or definition hash. If several have that hash, the newest. null: none of them does. */
export function chosenVersion(versions: readonly AgentVersion[], named: string | null): AgentVersion | null {
  if (named === null) return versions[0] ?? null;
  return versions.find(({ commit }) => commit === named) ?? versions.find(({ hash }) => hash === named) ?? null;
}

/** The version to compare with: the picked one, else the newest; for the newest version, the one before it. null: there is no other. */
export function comparedWith(versions: readonly AgentVersion[], version: AgentVersion, picked: string | null): AgentVersion | null {
  const others = versions.filter(({ commit }) => commit !== version.commit);
  return others.find(({ commit }) => commit === picked) ?? others[0] ?? null;
}

/** Both versions, the older one first; null: there is only one. `versions`: newest first. */
export function inOrder(
  versions: readonly AgentVersion[],
  one: AgentVersion,
  other: AgentVersion | null,
): { readonly older: AgentVersion; readonly newer: AgentVersion } | null {
  if (other === null) return null;
  const at = (version: AgentVersion): number => versions.findIndex(({ commit }) => commit === version.commit);
  return at(one) > at(other) ? { older: one, newer: other } : { older: other, newer: one };
}
