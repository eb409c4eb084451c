import type { Connection } from "../network/connection.ts";
import { sendLocal } from "../network/local.ts";
import { openConnection } from "../network/open.ts";
import { type Report, type RefUpdate, sendPack } from "../network/send-pack.ts";
import { prettyRef, pushRows, steps, type UpdateRow } from "../network/update-table.ts";
import { findRemote, type Remote, shownUrl } from "../network/url.ts";
import { type Options, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findObject } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, failed, fatal, Stop } from "../stop.ts";
import { noOid, type Oid } from "../store/model.ts";
import { isRefName } from "../store/refs.ts";
import { follow, parseRefspec, trackingRef, upstreamOf } from "../tracking.ts";
import { usualRemote } from "./fetch.ts";

export const push: GitCommand = async (run, args) => {
  const options = parseOptions("push", args, [
    "u set-upstream",
    "f force",
    "force-with-lease=?",
    "force-if-includes",
    "tags",
    "all",
    "d delete",
    "n dry-run",
    "q quiet",
    "v verbose",
    "no-verify",
    "progress",
    "no-progress",
    "porcelain",
    "mirror",
    "atomic",
    "follow-tags",
    "prune",
    "o push-option=",
    "signed=?",
    "thin",
    "no-thin",
    "repo=",
  ]);
  for (const name of ["force-if-includes", "porcelain", "mirror", "atomic", "follow-tags", "prune", "push-option", "signed", "repo"])
    if (options.has(name)) absent(`push --${name}`);
  const repo = await run.repository();
  const { branch } = await repo.refs.head();
  const [name, ...refspecs] = options.words;
  const remote = await remoteFor(repo, branch, name ?? null);
  const asked = await plan(repo, options, remote, refspecs, branch).catch((error: unknown) => {
    const noSuch = error instanceof Stop && error.exitCode === 1;
    throw noSuch ? new Stop(1, `${error.message}error: failed to push some refs to '${shownUrl(remote.pushUrl)}'\n`) : error;
  });
  const connection = await openConnection(run, remote.pushUrl, await repo.config(), "git-receive-pack");
  return send(run, repo, options, remote, connection, asked);
};

async function remoteFor(repo: Repository, branch: string | null, name: string | null): Promise<Remote> {
  const own = branch === null ? null : await repo.setting(`branch.${branch}.pushremote`);
  const chosen = name ?? own ?? (await repo.setting("remote.pushdefault")) ?? (await usualRemote(repo, branch));
  if (name === null && (await repo.setting(`remote.${chosen}.url`)) === null)
    fatal(
      "No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n",
    );
  return findRemote(repo, chosen);
}

/** A ref to send. */
interface Asked {
  /** Our ref: its full name, or as typed. "": the other side's ref is to be removed. */
  readonly from: string;
  /** The name that is printed. */
  readonly shown: string;
  readonly oid: Oid;
  /** Their ref, with its full name. */
  readonly to: string;
  readonly force: boolean;
}

async function plan(
  repo: Repository,
  options: Options,
  remote: Remote,
  refspecs: readonly string[],
  branch: string | null,
): Promise<Asked[]> {
  const force = options.has("force");
  const asked: Asked[] = [];
  if (options.has("delete")) {
    if (refspecs.length === 0) fatal("--delete doesn't make sense without any refs");
    return refspecs.map((name) => ({ from: "", shown: "", oid: noOid, to: name, force: true }));
  }
  if (options.has("all")) {
    if (refspecs.length > 0) fatal("--all can't be combined with refspecs");
    for (const name of await repo.refs.branches()) asked.push(await ofRef(repo, `refs/heads/${name}`, `refs/heads/${name}`, force));
  }
  const words = [...refspecs];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "tag") {
      const tag = `refs/tags/${words[++i] ?? fatal("tag shorthand without <tag>")}`;
      asked.push(await ofRef(repo, tag, tag, force));
      continue;
    }
    const spec = parseRefspec(word);
    if (spec.from.includes("*")) absent("push with patterns in a refspec");
    asked.push(await ofSpec(repo, word, spec.from, spec.to, spec.force || force, branch));
  }
  if (options.has("tags"))
    for (const tag of await repo.refs.tags()) asked.push(await ofRef(repo, `refs/tags/${tag}`, `refs/tags/${tag}`, force));
  if (refspecs.length === 0 && !options.has("all") && !options.has("tags")) asked.push(await usual(repo, options, remote, branch, force));
  return asked;
}

async function ofRef(repo: Repository, from: string, to: string, force: boolean): Promise<Asked> {
  const oid = (await repo.refs.resolve(from)) ?? noSource(prettyRef(from));
  return { from, shown: prettyRef(from), oid, to, force };
}

function noSource(name: string): never {
  throw new Stop(1, `error: src refspec ${name} does not match any\n`);
}

async function ofSpec(
  repo: Repository,
  word: string,
  from: string,
  to: string | null,
  force: boolean,
  branch: string | null,
): Promise<Asked> {
  if (from === "") {
    if (to === null || to === "") absent("push with the refspec ':'");
    return { from: "", shown: "", oid: noOid, to, force: true };
  }
  const full =
    from === "HEAD" || from === "@" ? (branch === null ? null : `refs/heads/${branch}`) : ((await repo.refs.find(from))?.ref ?? null);
  const oid = (await findObject(repo, full ?? from)) ?? noSource(from);
  const target = to ?? full ?? failed(`The destination you provided is not a full refname: '${word}'`);
  const shown = from === "HEAD" || full === null ? from : prettyRef(full);
  if (target.startsWith("refs/")) return { from: full ?? from, shown, oid, to: target, force };
  if (!isRefName(target)) fatal(`invalid refspec '${word}'`);
  const kind = full?.startsWith("refs/tags/") === true ? "tags" : "heads";
  // The commit has no ref name, so the target decides which kind of ref is meant.
  if (full === null) return { from, shown, oid, to: target, force };
  return { from: full, shown, oid, to: `refs/${kind}/${target}`, force };
}

/** What `git push` sends without a refspec: the current branch, to the branch of the same name. */
async function usual(repo: Repository, options: Options, remote: Remote, branch: string | null, force: boolean): Promise<Asked> {
  const mode = (await repo.setting("push.default")) ?? "simple";
  if (branch === null)
    fatal(
      "You are not currently on a branch.\nTo push the history leading to the current (detached HEAD)\nstate now, use\n\n    git push " +
        `${remote.name} HEAD:<name-of-remote-branch>\n`,
    );
  const own = `refs/heads/${branch}`;
  if (mode === "current") return ofRef(repo, own, own, force);
  if (mode !== "simple" && mode !== "upstream" && mode !== "tracking") absent(`push.default ${mode}`, 128);
  const upstream = await upstreamOf(repo, branch);
  const central = upstream === null || upstream.remote === remote.name;
  if (!central && mode === "simple") return ofRef(repo, own, own, force);
  const setsUp = options.has("set-upstream") || (await repo.setting("push.autosetupremote")) === "true";
  if (upstream === null) {
    if (setsUp) return ofRef(repo, own, own, force);
    fatal(
      `The current branch ${branch} has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream ${remote.name} ${branch}\n\nTo have this happen automatically for branches without a tracking\nupstream, see 'push.autoSetupRemote' in 'git help config'.\n`,
    );
  }
  if (mode === "simple" && upstream.merge !== own) {
    const theirs = prettyRef(upstream.merge);
    fatal(
      `The upstream branch of your current branch does not match\nthe name of your current branch.  To push to the upstream branch\non the remote, use\n\n    git push ${remote.name} HEAD:${theirs}\n\nTo push to the branch of the same name on the remote, use\n\n    git push ${remote.name} HEAD\n\nTo choose either option permanently, see push.default in 'git help config'.\n`,
    );
  }
  return ofRef(repo, own, upstream.merge, force);
}

async function send(
  run: Run,
  repo: Repository,
  options: Options,
  remote: Remote,
  connection: Connection,
  asked: readonly Asked[],
): Promise<number> {
  const rows: UpdateRow[] = [];
  const updates: (RefUpdate & { readonly row: UpdateRow })[] = [];
  const settled: Asked[] = [];
  let missing = false;
  const reasons = new Set<string>();
  for (const one of asked) {
    const isWhole = one.to.startsWith("refs/") && one.oid !== noOid;
    const to = isWhole ? one.to : expandTheirs(connection, one.to);
    if (to === null && one.oid !== noOid) {
      run.err(
        `error: The destination you provided is not a full refname (i.e.,\nstarting with "refs/"): ${one.to}. Write refs/heads/${one.to} for a branch\n`,
      );
      missing = true;
      continue;
    }
    if (to === null) {
      run.err(`error: unable to delete '${one.to}': remote ref does not exist\n`);
      missing = true;
      continue;
    }
    const before = connection.refs.get(to) ?? noOid;
    if (before === one.oid) {
      settled.push({ ...one, to });
      if (options.has("verbose")) rows.push({ flag: "=", summary: "[up to date]", from: one.shown, to: prettyRef(to), why: "" });
      continue;
    }
    const why = await refusal(repo, options, remote, { ...one, to }, before);
    const names = { from: one.shown, to: prettyRef(to) };
    if (why !== null) {
      reasons.add(why);
      rows.push({ flag: "!", summary: "[rejected]", ...names, why });
      continue;
    }
    updates.push({ ref: to, from: before, to: one.oid, row: await rowOf(repo, { ...one, to }, before) });
    settled.push({ ...one, to });
  }
  if (missing) {
    run.err(`error: failed to push some refs to '${shownUrl(remote.pushUrl)}'\n`);
    return 1;
  }
  let report: Report = new Map(updates.map(({ ref }) => [ref, null]));
  if (updates.length > 0 && !options.has("dry-run"))
    report = connection.local
      ? await sendLocal(repo, connection.local, updates, (line) => run.err(`remote: ${line}\n`))
      : await sendPack(run, repo, connection, updates, (line) => run.err(`remote: ${line}\n`));
  let exitCode = reasons.size > 0 ? 1 : 0;
  for (const { ref, to, row } of updates) {
    const why = report.has(ref) ? (report.get(ref) ?? null) : "no answer of the server";
    if (why === null) {
      rows.push(row);
      if (!options.has("dry-run")) await noteTheirs(repo, remote, ref, to);
    } else {
      exitCode = 1;
      rows.push({ flag: "!", summary: "[remote rejected]", from: row.to === null ? row.from : row.from, to: row.to ?? row.from, why });
    }
  }
  const bad = rows.some((row) => row.flag === "!");
  if (rows.length > 0 && (!options.has("quiet") || bad)) run.err(`To ${shownUrl(remote.pushUrl)}\n${pushRows(sorted(rows))}`);
  if (exitCode !== 0) run.err(`error: failed to push some refs to '${shownUrl(remote.pushUrl)}'\n${await hints(repo, reasons, rows)}`);
  else if (updates.length === 0 && !options.has("quiet")) run.err("Everything up-to-date\n");
  if (exitCode === 0 && !options.has("dry-run") && (options.has("set-upstream") || (await setsUpItself(repo, options))))
    await setUp(run, repo, remote, settled, options.has("quiet"));
  return exitCode;
}

async function setsUpItself(repo: Repository, options: Options): Promise<boolean> {
  if (options.words.length > 1 || (await repo.setting("push.autosetupremote")) !== "true") return false;
  const { branch } = await repo.refs.head();
  return branch !== null && (await upstreamOf(repo, branch)) === null;
}

/** git prints successful updates first. */
function sorted(rows: readonly UpdateRow[]): UpdateRow[] {
  return [
    ...rows.filter((row) => row.flag === "="),
    ...rows.filter((row) => row.flag !== "=" && row.flag !== "!"),
    ...rows.filter((row) => row.flag === "!"),
  ];
}

function expandTheirs(connection: Connection, name: string): string | null {
  return (
    [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`].find((ref) => ref.startsWith("refs/") && connection.refs.has(ref)) ??
    null
  );
}

/** Why a ref must not be sent; null if it may. */
async function refusal(repo: Repository, options: Options, remote: Remote, { oid, to, force }: Asked, before: Oid): Promise<string | null> {
  const lease = options.value("force-with-lease");
  if (lease !== null) {
    const [ref = "", expected] = lease.split(":");
    if (ref === "" || expandName(ref) === to) {
      const tracked = await trackingRef(repo, remote.name, to);
      const known =
        expected === undefined
          ? tracked === null
            ? null
            : await repo.refs.resolve(tracked)
          : expected === ""
            ? noOid
            : await findObject(repo, expected);
      return known === before || (known === null && before === noOid) ? null : "stale info";
    }
  }
  if (before === noOid || oid === noOid || force) return null;
  if (to.startsWith("refs/tags/")) return "already exists";
  if (!(await repo.objects.has(before))) return "fetch first";
  return (await reachable(repo, [oid])).has(before) ? null : "non-fast-forward";
}

function expandName(name: string): string {
  return name.startsWith("refs/") ? name : `refs/heads/${name}`;
}

async function rowOf(repo: Repository, { shown, oid, to }: Asked, before: Oid): Promise<UpdateRow> {
  if (oid === noOid) return { flag: "-", summary: "[deleted]", from: prettyRef(to), to: null, why: "" };
  const names = { from: shown, to: prettyRef(to) };
  if (before === noOid) {
    const kind = to.startsWith("refs/tags/") ? "tag" : to.startsWith("refs/heads/") ? "branch" : "reference";
    return { flag: "*", summary: `[new ${kind}]`, ...names, why: "" };
  }
  const forward =
    (await repo.objects.has(before)) && (await repo.objects.read(oid)).type === "commit" && (await reachable(repo, [oid])).has(before);
  return { flag: forward ? " " : "+", summary: steps(before, oid, !forward), ...names, why: forward ? "" : "forced update" };
}

/** Updates the remote-tracking ref. */
async function noteTheirs(repo: Repository, remote: Remote, ref: string, oid: Oid): Promise<void> {
  const tracked = remote.named ? await trackingRef(repo, remote.name, ref) : null;
  if (tracked === null) return;
  if (oid !== noOid) await repo.refs.set(tracked, oid);
  else if ((await repo.refs.resolve(tracked)) !== null) await repo.refs.remove(tracked);
}

async function setUp(run: Run, repo: Repository, remote: Remote, settled: readonly Asked[], quiet: boolean): Promise<void> {
  for (const { from, to, oid } of settled) {
    if (oid === noOid || !from.startsWith("refs/heads/") || !to.startsWith("refs/heads/")) continue;
    const said = await follow(repo, prettyRef(from), remote.name, to);
    if (!quiet) run.out(said);
  }
}

async function hints(repo: Repository, reasons: ReadonlySet<string>, rows: readonly UpdateRow[]): Promise<string> {
  const { branch } = await repo.refs.head();
  const own = rows.some((row) => row.why === "non-fast-forward" && row.from === branch);
  const end = ["See the 'Note about fast-forwards' in 'git push --help' for details."];
  const lines = reasons.has("non-fast-forward")
    ? own
      ? [
          "Updates were rejected because the tip of your current branch is behind",
          "its remote counterpart. Integrate the remote changes (e.g.",
          "'git pull ...') before pushing again.",
          ...end,
        ]
      : [
          "Updates were rejected because a pushed branch tip is behind its remote",
          "counterpart. Check out this branch and integrate the remote changes",
          "(e.g. 'git pull ...') before pushing again.",
          ...end,
        ]
    : reasons.has("fetch first")
      ? [
          "Updates were rejected because the remote contains work that you do",
          "not have locally. This is usually caused by another repository pushing",
          "to the same ref. You may want to first integrate the remote changes",
          "(e.g., 'git pull ...') before pushing again.",
          ...end,
        ]
      : reasons.has("already exists")
        ? ["Updates were rejected because the tag already exists in the remote."]
        : [];
  return lines.map((line) => `hint: ${line}\n`).join("");
}
