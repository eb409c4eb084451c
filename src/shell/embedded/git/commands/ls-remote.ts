import { openConnection } from "../network/open.ts";
import { findRemote, shownUrl } from "../network/url.ts";
import { parseOptions } from "../options.ts";
import { findRepository } from "../repository.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { globPattern } from "../store/ignore.ts";
import { usualRemote } from "./fetch.ts";

export const lsRemote: GitCommand = async (run, args) => {
  const options = parseOptions("ls-remote", args, [
    "h heads",
    "t tags",
    "refs",
    "q quiet",
    "exit-code",
    "get-url",
    "symref",
    "sort=",
    "o server-option=",
  ]);
  for (const name of ["sort", "server-option"]) if (options.has(name)) absent(`ls-remote --${name}`);
  const repo = await findRepository(run.shell, run.overrides);
  const [name, ...patterns] = options.words;
  if (repo === null && name === undefined) fatal("No remote configured to list refs from.");
  const typed =
    repo === null ? (name ?? "") : (await findRemote(repo, name ?? (await usualRemote(repo, (await repo.refs.head()).branch)))).url;
  if (options.has("get-url")) {
    run.out(`${typed}\n`);
    return 0;
  }
  const config = repo === null ? run.overrides : await repo.config();
  const { refs, peeled, head } = await openConnection(run, typed, config, "git-upload-pack");
  if (name === undefined && !options.has("quiet")) run.err(`From ${shownUrl(typed)}\n`);
  const globs = patterns.map((pattern) => globPattern(`*/${pattern}`, false));
  let found = false;
  for (const [ref, oid] of refs) {
    if (options.has("heads") || options.has("tags")) {
      if (!(options.has("heads") && ref.startsWith("refs/heads/")) && !(options.has("tags") && ref.startsWith("refs/tags/"))) continue;
    }
    if (options.has("refs") && !ref.startsWith("refs/")) continue;
    const of = peeled.get(ref);
    const rows: (readonly [string, string])[] = [
      [oid, ref],
      ...(of === undefined || options.has("refs") ? [] : [[of, `${ref}^{}`] as const]),
    ];
    for (const [object, shown] of rows) {
      if (globs.length > 0 && !globs.some((glob) => glob.test(`/${shown}`))) continue;
      found = true;
      if (options.has("symref") && shown === "HEAD" && head !== null) run.out(`ref: ${head}\tHEAD\n`);
      run.out(`${object}\t${shown}\n`);
    }
  }
  return options.has("exit-code") && !found ? 2 : 0;
};
