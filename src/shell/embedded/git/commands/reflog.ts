import type { ReflogEntry } from "../commit-fields.ts";
import { countOf, type Options, parseOptions } from "../options.ts";
import { commitFormat, formatOptions } from "../print-commit.ts";
import type { Repository } from "../repository.ts";
import { unknownRevision } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent } from "../stop.ts";
import { formatDate, readDateStyle } from "../text/dates.ts";

const spec = [...formatOptions, "n max-count=", "number=", "skip=", "all"];

/** `git reflog`: lists the commits that a branch or HEAD has pointed at. */
export const reflog: GitCommand = async (run, args) => {
  const [verb, ...rest] = args;
  if (verb === "expire" || verb === "delete") absent(`reflog ${verb}: no entry is removed here`);
  const repo = await run.repository();
  if (verb === "exists") {
    const found = await repo.refs.find(rest[0] ?? "");
    return found !== null && (await repo.refs.readLog(found.ref)).length > 0 ? 0 : 1;
  }
  const options = parseOptions("reflog", ["--abbrev-commit", "--pretty=oneline", ...(verb === "show" ? rest : args)], spec);
  if (options.has("all")) absent("reflog --all; name the branch, as in git reflog main");
  return walkReflog(run, repo, options, options.words[0] ?? "HEAD");
};

/** `git log -g`, without changes. */
export async function walkReflog(run: Run, repo: Repository, options: Options, name: string): Promise<number> {
  const ref = name === "HEAD" ? "HEAD" : ((await repo.refs.find(name))?.ref ?? unknownRevision(name));
  const short = ref.replace(/^refs\/(?:heads|tags|remotes)\//, "");
  const format = await commitFormat(repo, options);
  const style = options.has("date") ? readDateStyle(options.value("date")) : null;
  const skip = countOf(options, "skip") ?? 0;
  const most = countOf(options, "number") ?? countOf(options, "max-count") ?? Number.POSITIVE_INFINITY;
  const shown: string[] = [];
  for (const [nth, { to, why, who }] of (await repo.refs.readLog(ref)).entries()) {
    if (nth < skip) continue;
    if (shown.length >= most) break;
    const at = `@{${style === null ? nth : formatDate(who, style, run.shell.now())}}`;
    const entry: ReflogEntry = { short: `${short}${at}`, whole: `${name}${at}`, why, who };
    shown.push(await format.print(await repo.objects.commit(to), entry));
  }
  if (format.kind === "nothing") return 0;
  const lines = format.kind === "separated" || format.kind === "long" ? shown.join("\n") : shown.map((text) => `${text}\n`).join("");
  run.out(lines);
  return 0;
}
