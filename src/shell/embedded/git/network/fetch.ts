import { writeMessageFile } from "../commit.ts";
import type { Repository } from "../repository.ts";
import { reachable } from "../reachable.ts";
import type { Run } from "../run.ts";
import { failed, fatal } from "../stop.ts";
import type { Oid } from "../store/model.ts";
import { mapRef, parseRefspec } from "../tracking.ts";
import { type Connection, isSafeRef } from "./connection.ts";
import { copyObjects } from "./local.ts";
import { openConnection } from "./open.ts";
import { fetchPack } from "./fetch-pack.ts";
import { fetchRows, prettyRef, steps, type UpdateRow } from "./update-table.ts";
import { type Remote, sourceName } from "./url.ts";

export interface FetchOptions {
  /** Used instead of the remote's own refspecs. */
  readonly refspecs: readonly string[];
  /** "auto": the tags of objects that are fetched. */
  readonly tags: "auto" | "all" | "none";
  readonly prune: boolean;
  readonly force: boolean;
  readonly depth: number | null;
  readonly quiet: boolean;
  /** Also report refs that did not change. */
  readonly verbose: boolean;
  /** The remote branch that `pull` merges. */
  readonly merge: string | null;
}

export interface Fetched {
  readonly exitCode: number;
  /** The commits to merge, with their descriptions in FETCH_HEAD. */
  readonly heads: readonly { readonly oid: Oid; readonly what: string }[];
}

interface Change {
  readonly from: string;
  readonly oid: Oid;
  /** Null: only FETCH_HEAD gets it. */
  readonly to: string | null;
  readonly force: boolean;
  /** Requested by name. */
  readonly asked: boolean;
}

/** `git fetch` from one remote. */
export async function fetchFrom(run: Run, repo: Repository, remote: Remote, options: FetchOptions): Promise<Fetched> {
  const connection = await openConnection(run, remote.url, await repo.config(), "git-upload-pack");
  // As git does, puts what is to be merged first.
  const changes = plan(connection, remote, options).toSorted((a, b) => Number(isMerged(b, options)) - Number(isMerged(a, options)));
  const tags = options.tags === "none" ? [] : [...connection.refs].filter(([name]) => name.startsWith("refs/tags/") && isSafeRef(name));
  if (options.tags === "all")
    for (const [name, oid] of tags) changes.push({ from: name, oid, to: name, force: options.force, asked: false });
  const needed: Oid[] = [];
  for (const { oid } of changes) if (options.depth !== null || !(await repo.objects.has(oid))) needed.push(oid);
  if (connection.local && needed.length > 0) await copyObjects(connection.local, repo);
  if (!connection.local) await fetchPack(run, repo, connection, { oids: needed, depth: options.depth });
  const bringsTags = options.refspecs.length === 0 || options.refspecs.some((text) => (parseRefspec(text).to ?? "") !== "");
  if (options.tags === "auto" && bringsTags && changes.some((change) => change.to !== null))
    changes.push(...(await followedTags(run, repo, connection, tags)));

  const rows: UpdateRow[] = [];
  let exitCode = 0;
  if (options.prune) rows.push(...(await prune(repo, connection, remote, options)));
  for (const change of changes) {
    const row = change.to === null ? fetchHeadRow(change) : await apply(repo, change);
    if (row?.flag === "!") exitCode = 1;
    if (row && (row.flag !== "=" || options.verbose)) rows.push(row);
  }
  if (rows.length > 0 && !options.quiet) run.err(`From ${sourceName(remote.url)}\n${fetchRows(rows)}`);
  return { exitCode, heads: await writeFetchHead(repo, changes, remote, options) };
}

function plan(connection: Connection, remote: Remote, { refspecs, force }: FetchOptions): Change[] {
  const changes: Change[] = [];
  const all = [...connection.refs].filter(([name]) => isSafeRef(name));
  if (refspecs.length === 0 && remote.refspecs.length === 0) {
    const head = connection.refs.get("HEAD");
    if (head === undefined) fatal("couldn't find remote ref HEAD");
    return [{ from: "HEAD", oid: head, to: null, force: false, asked: true }];
  }
  for (const text of refspecs) {
    const spec = parseRefspec(text);
    if (spec.from.includes("*")) {
      for (const [name, oid] of all) {
        const to = mapRef(text, name);
        if (to !== null && isSafeRef(to)) changes.push({ from: name, oid, to, force: spec.force || force, asked: true });
      }
      continue;
    }
    const from = expand(connection, spec.from === "" ? "HEAD" : spec.from);
    const oid = from === null ? undefined : connection.refs.get(from);
    if (from === null || oid === undefined) return fatal(`couldn't find remote ref ${spec.from}`);
    const to =
      spec.to === null || spec.to === ""
        ? null
        : spec.to.startsWith("refs/")
          ? spec.to
          : `${from.startsWith("refs/tags/") ? "refs/tags" : "refs/heads"}/${spec.to}`;
    if (to !== null && !isSafeRef(to)) fatal(`invalid refspec '${text}'`);
    changes.push({ from, oid, to, force: spec.force || force, asked: true });
  }
  // Refs that are fetched by name also update their remote-tracking refs.
  for (const spec of remote.refspecs) {
    for (const [name, oid] of all) {
      const to = mapRef(spec, name);
      if (to === null || !isSafeRef(to)) continue;
      if (refspecs.length === 0 || changes.some((change) => change.asked && change.from === name && change.to !== to))
        changes.push({ from: name, oid, to, force: parseRefspec(spec).force || force, asked: false });
    }
  }
  return changes;
}

function expand(connection: Connection, name: string): string | null {
  return ["", "refs/", "refs/tags/", "refs/heads/"].map((prefix) => prefix + name).find((full) => connection.refs.has(full)) ?? null;
}

/** Tags that are missing here although their objects are here. */
async function followedTags(
  run: Run,
  repo: Repository,
  connection: Connection,
  tags: readonly (readonly [string, Oid])[],
): Promise<Change[]> {
  const found: Change[] = [];
  const missing: Oid[] = [];
  for (const [name, oid] of tags) {
    if ((await repo.refs.resolve(name)) !== null || !(await repo.objects.has(connection.peeled.get(name) ?? oid))) continue;
    found.push({ from: name, oid, to: name, force: false, asked: false });
    if (!(await repo.objects.has(oid))) missing.push(oid);
  }
  await fetchPack(run, repo, connection, { oids: missing, depth: null });
  return found;
}

function fetchHeadRow({ from }: Change): UpdateRow {
  const kind = from.startsWith("refs/tags/") ? "tag" : from.startsWith("refs/heads/") || from === "HEAD" ? "branch" : "ref";
  return { flag: "*", summary: kind, from: prettyRef(from), to: "FETCH_HEAD", why: "" };
}

async function apply(repo: Repository, { from, oid, to, force }: Change): Promise<UpdateRow | null> {
  if (to === null) return null;
  const before = await repo.refs.resolve(to);
  const names = { from: prettyRef(from), to: prettyRef(to) };
  if (before === oid) return { flag: "=", summary: "[up to date]", ...names, why: "" };
  if (to === `refs/heads/${(await repo.refs.head()).branch ?? ""}`)
    return { flag: "!", summary: "[rejected]", ...names, why: "can't fetch in current branch" };
  if (before === null) {
    await repo.refs.set(to, oid);
    const kind = to.startsWith("refs/tags/") ? "tag" : from.startsWith("refs/heads/") ? "branch" : "ref";
    return { flag: "*", summary: `[new ${kind}]`, ...names, why: "" };
  }
  if (to.startsWith("refs/tags/")) {
    if (!force) return { flag: "!", summary: "[rejected]", ...names, why: " would clobber existing tag".trim() };
    await repo.refs.set(to, oid);
    return { flag: "t", summary: "[tag update]", ...names, why: "" };
  }
  const forward = (await reachable(repo, [oid])).has(before);
  if (!forward && !force) return { flag: "!", summary: "[rejected]", ...names, why: "non-fast-forward" };
  await repo.refs.set(to, oid);
  return { flag: forward ? " " : "+", summary: steps(before, oid, !forward), ...names, why: forward ? "" : "forced update" };
}

/** Removes remote-tracking refs whose branches no longer exist on the remote. */
async function prune(repo: Repository, connection: Connection, remote: Remote, options: FetchOptions): Promise<UpdateRow[]> {
  const specs = options.refspecs.length > 0 ? options.refspecs : remote.refspecs;
  const there = new Set(specs.flatMap((spec) => [...connection.refs.keys()].map((name) => mapRef(spec, name))));
  const rows: UpdateRow[] = [];
  for (const { ref } of await repo.refs.all()) {
    const followed = specs.some((spec) => {
      const { from, to } = parseRefspec(spec);
      return to !== null && to !== "" && mapRef(`${to}:${from}`, ref) !== null;
    });
    if (!followed || there.has(ref) || (await repo.refs.symbolic(ref)) !== null) continue;
    await repo.refs.remove(ref);
    rows.push({ flag: "-", summary: "[deleted]", from: "(none)", to: prettyRef(ref), why: "" });
  }
  return rows;
}

function isMerged({ from, asked }: Pick<Change, "from" | "asked">, { refspecs, merge }: FetchOptions): boolean {
  return refspecs.length > 0 || merge === null ? asked : from === merge;
}

async function writeFetchHead(
  repo: Repository,
  changes: readonly Change[],
  remote: Remote,
  options: FetchOptions,
): Promise<Fetched["heads"]> {
  const source = sourceName(remote.url);
  const lines: { text: string; merges: boolean }[] = [];
  const heads: { oid: Oid; what: string }[] = [];
  for (const { from, oid, to, asked } of changes) {
    if (!asked && options.refspecs.length > 0) continue;
    if (to?.startsWith("refs/tags/") === true && !asked) continue;
    const what = from === "HEAD" ? source : `${from.startsWith("refs/tags/") ? "tag" : "branch"} '${prettyRef(from)}' of ${source}`;
    const merges = isMerged({ from, asked }, options);
    lines.push({ text: `${oid}\t${merges ? "" : "not-for-merge"}\t${what}\n`, merges });
    if (merges) heads.push({ oid, what });
  }
  await writeMessageFile(
    repo,
    "FETCH_HEAD",
    lines
      .toSorted((a, b) => Number(b.merges) - Number(a.merges))
      .map(({ text }) => text)
      .join(""),
  );
  return heads;
}

/** Parses a number of commits. */
export function depthOf(value: string | null): number | null {
  if (value === null) return null;
  return /^[1-9]\d*$/.test(value) ? Number(value) : failed(`depth ${value} is not a positive number`, 128);
}
