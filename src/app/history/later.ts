import { type Answer } from "../api/calls.ts";
import { readCommit, readHistory } from "../api/history.ts";

/** Commits that are looked into for what a restore would change, and how many at a time. */
const bounds = { commits: 100, atOnce: 6 } as const;

export interface Later {
  /** Paths that commits later than the one asked about have changed, sorted. */
  readonly paths: readonly string[];
  /** How many commits those are. */
  readonly commits: number;
  /** There are more than were looked into. */
  readonly more: boolean;
}

/** What was changed since a commit, by whomever. */
export async function changedSince(id: string): Promise<Answer<Later>> {
  const newest = await readHistory({ limit: bounds.commits });
  if (!newest.ok) return newest;
  const ids = newest.value.commits.map((commit) => commit.id);
  const here = ids.indexOf(id);
  const later = here === -1 ? ids : ids.slice(0, here);
  const paths = new Set<string>();
  for (let from = 0; from < later.length; from += bounds.atOnce) {
    const answers = await Promise.all(later.slice(from, from + bounds.atOnce).map(readCommit));
    for (const answer of answers) {
      if (!answer.ok) return answer;
      for (const { path } of answer.value.changes) paths.add(path);
    }
  }
  return { ok: true, etag: null, value: { paths: Array.from(paths).toSorted(), commits: later.length, more: here === -1 } };
}
