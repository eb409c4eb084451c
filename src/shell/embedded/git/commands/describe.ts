import { countOf, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { mustFindCommit, peel } from "../revision.ts";
import { firstParents, reachable } from "../reachable.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { globPattern } from "../store/ignore.ts";
import type { Oid } from "../store/model.ts";
import { parseHeader, parsePerson } from "../store/objects.ts";
import { decode } from "../text/bytes.ts";
import { changesBetween } from "../changes.ts";
import { worktreeSnapshot } from "../worktree.ts";

interface Tag {
  readonly name: string;
  readonly isAnnotated: boolean;
  /** The time of an annotated tag, in seconds. */
  readonly time: number;
}

/** `git describe`: the newest tag that the commit contains, and the distance to it. */
export const describe: GitCommand = async (run, args) => {
  const options = parseOptions("describe", args, [
    "tags",
    "all",
    "always",
    "dirty=?",
    "abbrev=",
    "long",
    "exact-match",
    "match=",
    "exclude=",
    "candidates=",
    "first-parent",
    "contains",
    "broken=?",
  ]);
  for (const name of ["all", "contains", "broken"]) if (options.has(name)) absent(`describe --${name}`, 128);
  const repo = await run.repository();
  const digits = countOf(options, "abbrev") ?? 7;
  const short = (oid: Oid): string => oid.slice(0, Math.max(4, digits));
  const tags = await tagsByCommit(repo, options.has("tags"), (name) => {
    const matches = (pattern: string): boolean => globPattern(pattern, false).test(name);
    const wanted = options.values("match");
    return (wanted.length === 0 || wanted.some(matches)) && !options.values("exclude").some(matches);
  });
  for (const text of options.words.length === 0 ? ["HEAD"] : options.words) {
    const oid = await mustFindCommit(repo, text);
    const dirty = options.has("dirty") && (await isDirty(repo)) ? options.value("dirty") || "-dirty" : "";
    const exact = tags.get(oid);
    if (exact !== undefined) {
      run.out(`${exact.name}${options.has("long") ? `-0-g${short(oid)}` : ""}${dirty}\n`);
      continue;
    }
    if (options.has("exact-match")) fatal(`no tag exactly matches '${oid}'`);
    const best = await nearest(repo, oid, tags, options.has("first-parent"));
    if (best === null) {
      if (options.has("always")) run.out(`${short(oid)}${dirty}\n`);
      else if (!options.has("tags") && (await nearest(repo, oid, await tagsByCommit(repo, true, () => true), false)) !== null)
        fatal(`No annotated tags can describe '${oid}'.\nHowever, there were unannotated tags: try --tags.`);
      else
        fatal(
          (await repo.refs.tags()).length > 0
            ? `No tags can describe '${oid}'.\nTry --always, or create some tags.`
            : `No names found, cannot describe anything.`,
        );
      continue;
    }
    run.out(`${best.tag.name}${digits === 0 ? "" : `-${best.distance}-g${short(oid)}`}${dirty}\n`);
  }
  return 0;
};

async function tagsByCommit(repo: Repository, all: boolean, isWanted: (name: string) => boolean): Promise<Map<Oid, Tag>> {
  const tags = new Map<Oid, Tag>();
  for (const name of await repo.refs.tags()) {
    const oid = await repo.refs.resolve(`refs/tags/${name}`);
    if (oid === null || !isWanted(name)) continue;
    const object = await repo.objects.read(oid);
    const isAnnotated = object.type === "tag";
    if (!isAnnotated && !all) continue;
    const tagger = isAnnotated ? parseHeader(decode(object.bytes)).fields.find(([key]) => key === "tagger")?.[1] : undefined;
    const tag: Tag = { name, isAnnotated, time: tagger === undefined ? 0 : parsePerson(tagger).time };
    const commit = await peel(repo, oid);
    const known = tags.get(commit);
    if (known === undefined || (isAnnotated && (!known.isAnnotated || tag.time > known.time))) tags.set(commit, tag);
  }
  return tags;
}

/** Of the tags behind the commit, the one with the fewest commits in between. */
async function nearest(
  repo: Repository,
  oid: Oid,
  tags: ReadonlyMap<Oid, Tag>,
  firstParent: boolean,
): Promise<{ readonly tag: Tag; readonly distance: number } | null> {
  const own = await reachable(repo, [oid]);
  let best: { readonly tag: Tag; readonly distance: number } | null = null;
  const line = firstParent ? await firstParents(repo, [oid]) : own;
  for (const commit of line) {
    const tag = tags.get(commit);
    if (tag === undefined) continue;
    const behind = await reachable(repo, [commit]);
    const distance = [...own].filter((one) => !behind.has(one)).length;
    if (best === null || distance < best.distance) best = { tag, distance };
  }
  return best;
}

async function isDirty(repo: Repository): Promise<boolean> {
  const index = await repo.readIndex();
  const head = await repo.snapshot(await repo.refs.resolve("HEAD"));
  const all = (): boolean => true;
  if (index.conflicts.size > 0 || changesBetween(head, index.files, all).length > 0) return true;
  return changesBetween(index.files, await worktreeSnapshot(repo, index, repo.spec([":/"])), all).length > 0;
}
