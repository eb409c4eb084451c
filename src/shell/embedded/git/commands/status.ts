import { letterOf } from "../print-changes.ts";
import { parseOptions } from "../options.ts";
import type { GitCommand } from "../run.ts";
import type { Repository } from "../repository.ts";
import { longStatus, readStatus, type Status } from "../status.ts";
import { peel, shortOid } from "../revision.ts";
import { fatal } from "../stop.ts";
import type { Head } from "../store/refs.ts";
import { headerLines, secondFormat } from "../porcelain-v2.ts";
import { distanceText, distanceWords, upstreamOf } from "../tracking.ts";
import { compareBytes } from "../text/bytes.ts";

export const status: GitCommand = async (run, args) => {
  const options = parseOptions("status", args, [
    "s short",
    "long",
    "porcelain=?",
    "b branch",
    "u untracked-files=?",
    "z null",
    "ignored=?",
    "show-stash",
    "no-renames",
    "ahead-behind",
    "no-ahead-behind",
  ]);
  const version = options.value("porcelain");
  if (version !== null && !["", "v1", "1", "v2", "2"].includes(version)) fatal(`unsupported porcelain version '${version}'`);
  const untracked = untrackedMode(options.value("untracked-files"));
  const repo = await run.repository();
  const found = await readStatus(repo, repo.spec([...options.words, ...(options.paths ?? [])]), { untracked });
  const showIgnored = options.has("ignored");
  if (version === "v2" || version === "2") {
    const end = options.has("null") ? "\0" : "\n";
    if (options.has("branch") || options.has("show-stash"))
      run.out(await headerLines(repo, found, options.has("branch"), options.has("show-stash"), end));
    run.out(await secondFormat(repo, found, showIgnored, end));
    return 0;
  }
  const porcelain = version !== null || options.has("null");
  if (!options.has("long") && (options.has("short") || porcelain)) {
    const end = options.has("null") ? "\0" : "\n";
    if (options.has("branch"))
      run.out(
        `## ${found.head.oid === null ? "No commits yet on " : ""}${found.head.branch ?? "HEAD (no branch)"}${await followed(repo, found.head)}${end}`,
      );
    const quoted = await repo.quoting();
    const name = porcelain ? (path: string) => path : relativeTo(repo.prefix);
    run.out(shortStatus(found, showIgnored, (path) => (end === "\0" ? path : quoted(name(path), true)), end));
    return 0;
  }
  run.out(await longText(repo, found, showIgnored, untracked !== "no"));
  return 0;
};

/** Returns for example "...origin/main [ahead 1]". */
async function followed(repo: Repository, { branch, oid }: Head): Promise<string> {
  const upstream = branch === null ? null : await upstreamOf(repo, branch);
  if (upstream === null) return "";
  const words = oid === null ? (upstream.oid === null ? "gone" : "") : await distanceWords(repo, oid, upstream);
  return `...${upstream.name}${words === "" ? "" : ` [${words}]`}`;
}

export function untrackedMode(value: string | null): "no" | "normal" | "all" {
  if (value === null) return "normal";
  if (value === "" || value === "all") return "all";
  return value === "no" || value === "normal" ? value : fatal(`Invalid untracked files mode '${value}'`);
}

export async function longText(repo: Repository, found: Status, showIgnored: boolean, untracked: boolean): Promise<string> {
  const relative = relativeTo(repo.prefix);
  const quoted = await repo.quoting();
  return longStatus(found, {
    name: (path) => quoted(relative(path)),
    untracked,
    showIgnored,
    detached: await detachedText(repo, found.head),
    followed: await distanceText(repo, found.head.branch),
  });
}

/** "HEAD detached at v1", or "from v1" after HEAD has moved. Null: unknown. */
export async function detachedText(repo: Repository, head: Head): Promise<string | null> {
  if (head.branch !== null || head.oid === null) return null;
  for (const { to, why } of await repo.refs.readLog()) {
    const name = /^checkout: moving from \S+ to (\S+)$/.exec(why)?.[1];
    if (name === undefined) continue;
    const found = /^(?:HEAD|[0-9a-f]{40})$/.test(name) ? null : await repo.refs.find(name === "@" ? "HEAD" : name);
    const isSame = found !== null && (await peel(repo, found.oid)) === to;
    const place = isSame ? found.ref.replace(/^refs\/(?:tags|remotes)\//, "") : shortOid(to);
    return `HEAD detached ${head.oid === to ? "at" : "from"} ${place}`;
  }
  return null;
}

/** Makes a path of the repository relative to the working directory. */
export function relativeTo(prefix: string): (path: string) => string {
  const from = prefix.split("/").slice(0, -1);
  return (path) => {
    const to = path.split("/");
    let same = 0;
    while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
    const rest = to.slice(same).join("/");
    return "../".repeat(from.length - same) + (rest === "" ? "./" : rest);
  };
}

function shortStatus(found: Status, showIgnored: boolean, name: (path: string) => string, end: "\n" | "\0"): string {
  const rows = new Map<string, { staged: string; unstaged: string; from: string | null }>();
  for (const change of found.staged) rows.set(change.path, { staged: letterOf(change), unstaged: " ", from: change.from });
  for (const change of found.unstaged) {
    const row = rows.get(change.path);
    if (row) row.unstaged = letterOf(change);
    else rows.set(change.path, { staged: " ", unstaged: letterOf(change), from: null });
  }
  for (const [path, letters] of found.conflicts) rows.set(path, { staged: letters[0] ?? "U", unstaged: letters[1] ?? "U", from: null });
  const tracked = [...rows].toSorted(([a], [b]) => compareBytes(a, b));
  const from = (old: string | null, path: string): string =>
    old === null ? name(path) : end === "\0" ? `${name(path)}\0${name(old)}` : `${name(old)} -> ${name(path)}`;
  return [
    ...tracked.map(([path, row]) => `${row.staged}${row.unstaged} ${from(row.from, path)}`),
    ...found.untracked.map((path) => `?? ${name(path)}`),
    ...(showIgnored ? found.ignored.map((path) => `!! ${name(path)}`) : []),
  ]
    .map((row) => row + end)
    .join("");
}
