import type { Repository } from "./repository.ts";
import { reachable } from "./reachable.ts";
import type { Oid } from "./store/model.ts";

/** The upstream of a branch. */
export interface Upstream {
  readonly remote: string;
  /** Its name on the remote: "refs/heads/main". */
  readonly merge: string;
  /** The remote-tracking ref: "refs/remotes/origin/main". */
  readonly ref: string;
  /** "origin/main". */
  readonly name: string;
  /** Null: it no longer exists. */
  readonly oid: Oid | null;
}

/** Null: the branch has no upstream. */
export async function upstreamOf(repo: Repository, branch: string): Promise<Upstream | null> {
  const remote = await repo.setting(`branch.${branch}.remote`);
  const merge = await repo.setting(`branch.${branch}.merge`);
  if (remote === null || merge === null || merge === "") return null;
  const ref = remote === "." ? merge : await trackingRef(repo, remote, merge);
  if (ref === null) return null;
  return { remote, merge, ref, name: ref.replace(/^refs\/(?:remotes|heads)\//, ""), oid: await repo.refs.resolve(ref) };
}

/** The ref under which `fetch` stores a ref of the remote; null: it doesn't store it. */
export async function trackingRef(repo: Repository, remote: string, ref: string): Promise<string | null> {
  for (const { key, value } of await repo.config()) {
    if (key !== `remote.${remote}.fetch`) continue;
    const to = mapRef(value, ref);
    if (to !== null) return to;
  }
  return null;
}

export interface Refspec {
  readonly force: boolean;
  readonly from: string;
  /** Null: there is no colon. "": nothing follows the colon. */
  readonly to: string | null;
}

export function parseRefspec(text: string): Refspec {
  const force = text.startsWith("+");
  const [from = "", to] = (force ? text.slice(1) : text).split(":");
  return { force, from, to: to ?? null };
}

/** The ref's name on the right side of a refspec; null: the refspec does not match. */
export function mapRef(refspec: string, ref: string): string | null {
  const { from, to } = parseRefspec(refspec);
  if (to === null || to === "") return null;
  const star = from.indexOf("*");
  if (star < 0) return from === ref ? to : null;
  const end = from.slice(star + 1);
  if (!ref.startsWith(from.slice(0, star)) || !ref.endsWith(end) || ref.length < from.length - 1) return null;
  return to.replace("*", () => ref.slice(star, ref.length - end.length));
}

export interface Distance {
  readonly ahead: number;
  readonly behind: number;
}

export async function distance(repo: Repository, own: Oid, other: Oid): Promise<Distance> {
  if (own === other) return { ahead: 0, behind: 0 };
  const ours = await reachable(repo, [own]);
  const theirs = await reachable(repo, [other]);
  const count = (set: ReadonlySet<Oid>, without: ReadonlySet<Oid>): number => [...set].filter((oid) => !without.has(oid)).length;
  return { ahead: count(ours, theirs), behind: count(theirs, ours) };
}

/** What `git status` and `git checkout` print about a branch and its upstream, with a line feed at the end; "" without an upstream. */
export async function distanceText(repo: Repository, branch: string | null): Promise<string> {
  const own = branch === null ? null : await repo.refs.resolve(`refs/heads/${branch}`);
  const upstream = branch === null ? null : await upstreamOf(repo, branch);
  if (own === null || upstream === null) return "";
  const { name, oid } = upstream;
  if (oid === null) return `Your branch is based on '${name}', but the upstream is gone.\n  (use "git branch --unset-upstream" to fixup)\n`;
  const { ahead, behind } = await distance(repo, own, oid);
  const commits = (count: number): string => `${count} commit${count === 1 ? "" : "s"}`;
  if (ahead === 0 && behind === 0) return `Your branch is up to date with '${name}'.\n`;
  if (behind === 0) return `Your branch is ahead of '${name}' by ${commits(ahead)}.\n  (use "git push" to publish your local commits)\n`;
  if (ahead === 0)
    return `Your branch is behind '${name}' by ${commits(behind)}, and can be fast-forwarded.\n  (use "git pull" to update your local branch)\n`;
  return `Your branch and '${name}' have diverged,\nand have ${ahead} and ${behind} different commits each, respectively.\n  (use "git pull" to merge the remote branch into yours)\n`;
}

/** Returns "ahead 1, behind 2", "gone", or "" if both are equal. */
export async function distanceWords(repo: Repository, own: Oid, upstream: Upstream): Promise<string> {
  if (upstream.oid === null) return "gone";
  const { ahead, behind } = await distance(repo, own, upstream.oid);
  return [...(ahead > 0 ? [`ahead ${ahead}`] : []), ...(behind > 0 ? [`behind ${behind}`] : [])].join(", ");
}

/** Sets a branch's upstream. Returns the message that git prints. */
export async function follow(repo: Repository, branch: string, remote: string, merge: string): Promise<string> {
  await repo.changeSetting(`branch.${branch}.remote`, remote);
  await repo.changeSetting(`branch.${branch}.merge`, merge);
  const ref = remote === "." ? merge : await trackingRef(repo, remote, merge);
  return `branch '${branch}' set up to track '${(ref ?? merge).replace(/^refs\/(?:remotes|heads)\//, "")}'.\n`;
}

/** The remote and the ref behind "refs/remotes/origin/main"; for one of our branches, the branch itself. Null: neither. */
export async function sourceOf(repo: Repository, ref: string): Promise<{ readonly remote: string; readonly merge: string } | null> {
  if (ref.startsWith("refs/heads/")) return { remote: ".", merge: ref };
  for (const { key, value } of await repo.config()) {
    const remote = /^remote\.(.+)\.fetch$/.exec(key)?.[1];
    const { from, to } = parseRefspec(value);
    if (remote === undefined || to === null) continue;
    const merge = mapRef(`${to}:${from}`, ref);
    if (merge !== null) return { remote, merge };
  }
  return null;
}
