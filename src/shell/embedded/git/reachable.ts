import type { Repository } from "./repository.ts";
import type { Oid } from "./store/model.ts";

/** Every commit that can be reached, including the starting ones. */
export async function reachable(repo: Repository, from: readonly Oid[]): Promise<Set<Oid>> {
  const seen = new Set<Oid>();
  const open = [...from];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (seen.has(oid)) continue;
    seen.add(oid);
    open.push(...(await repo.objects.commit(oid)).parents);
  }
  return seen;
}

/** These commits and their chains of first parents. */
export async function firstParents(repo: Repository, from: readonly Oid[]): Promise<Set<Oid>> {
  const found = new Set<Oid>();
  for (const start of from)
    for (let at: Oid | undefined = start; at !== undefined && !found.has(at); [at] = (await repo.objects.commit(at)).parents) found.add(at);
  return found;
}
