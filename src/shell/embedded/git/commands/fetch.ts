import { depthOf, fetchFrom, type FetchOptions } from "../network/fetch.ts";
import { findRemote } from "../network/url.ts";
import { type Options, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";

export const fetchSpec = [
  "all",
  "p prune",
  "no-prune",
  "t tags",
  "n no-tags",
  "f force",
  "depth=",
  "unshallow",
  "q quiet",
  "v verbose",
  "progress",
  "no-progress",
  "dry-run",
  "a append",
  "deepen=",
  "shallow-since=",
  "P prune-tags",
  "set-upstream",
  "atomic",
  "j jobs=",
  "no-auto-maintenance",
  "no-recurse-submodules",
  "recurse-submodules=?",
  "refmap=",
  "k keep",
  "multiple",
];

/** The depth that git itself requests for a complete history. */
const wholeDepth = 0x7fffffff;

export const fetchCommand: GitCommand = async (run, args) => {
  const options = parseOptions("fetch", args, fetchSpec);
  refuseFetchOptions(options, "fetch");
  const repo = await run.repository();
  const [name, ...refspecs] = options.words;
  if (options.has("all")) {
    if (name !== undefined) fatal("fetch --all does not take a repository argument");
    let exitCode = 0;
    const names = await remoteNames(repo);
    for (const one of names) {
      if (!options.has("quiet") && names.length > 1) run.out(`Fetching ${one}\n`);
      const { exitCode: code } = await fetchFrom(run, repo, await findRemote(repo, one), readFetchOptions(options, [], null));
      exitCode = Math.max(exitCode, code);
    }
    return exitCode;
  }
  const { branch } = await repo.refs.head();
  // As in git, there is nothing to do without a remote.
  if (name === undefined && (await remoteNames(repo)).length === 0) return 0;
  const remote = name ?? (await usualRemote(repo, branch));
  const merge =
    branch !== null && (await repo.setting(`branch.${branch}.remote`)) === remote ? await repo.setting(`branch.${branch}.merge`) : null;
  return (await fetchFrom(run, repo, await findRemote(repo, remote), readFetchOptions(options, refspecs, merge))).exitCode;
};

export function refuseFetchOptions(options: Options, command: string): void {
  for (const name of ["dry-run", "append", "deepen", "shallow-since", "prune-tags", "set-upstream", "atomic", "refmap", "keep", "multiple"])
    if (options.has(name)) absent(`${command} --${name}`);
  const submodules = options.value("recurse-submodules");
  if (submodules !== null && submodules !== "no") absent(`${command} --recurse-submodules`);
}

export function readFetchOptions(options: Options, refspecs: readonly string[], merge: string | null): FetchOptions {
  return {
    refspecs,
    tags: options.has("tags") ? "all" : options.has("no-tags") ? "none" : "auto",
    prune: options.has("prune") && !options.has("no-prune"),
    force: options.has("force"),
    depth: options.has("unshallow") ? wholeDepth : depthOf(options.value("depth")),
    quiet: options.has("quiet"),
    verbose: options.has("verbose"),
    merge,
  };
}

export async function remoteNames(repo: Repository): Promise<string[]> {
  const names = (await repo.config()).flatMap(({ key }) => /^remote\.(.+)\.url$/.exec(key)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** The branch's own remote, else the only remote, else "origin". */
export async function usualRemote(repo: Repository, branch: string | null): Promise<string> {
  const own = branch === null ? null : await repo.setting(`branch.${branch}.remote`);
  if (own !== null) return own;
  const names = await remoteNames(repo);
  return names.length === 1 ? (names[0] ?? "origin") : "origin";
}
