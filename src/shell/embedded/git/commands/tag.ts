import { cleanMessage } from "../commit.ts";
import { countOf, type Options, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findObject, mustFindCommit, peel, shortOid, typeOf } from "../revision.ts";
import { reachable } from "../reachable.ts";
import type { Oid } from "../store/model.ts";
import { refText, sortedRefs } from "./refs.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal, Stop } from "../stop.ts";
import { globPattern } from "../store/ignore.ts";
import { formatPerson, parseHeader } from "../store/objects.ts";
import { isRefName } from "../store/refs.ts";
import { decode, encode } from "../text/bytes.ts";

export const tag: GitCommand = async (run, args) => {
  const options = parseOptions("tag", args, [
    "a annotate",
    "m message=",
    "F file=",
    "d delete",
    "l list",
    "f force",
    "n number=?",
    "s sign",
    "sort=",
    "contains=*",
    "merged=*",
    "points-at=",
    "format=",
  ]);
  for (const name of ["sign"]) if (options.has(name)) absent(`tag --${name}`);
  const repo = await run.repository();
  const words = options.words;
  if (options.has("delete")) {
    let code = 0;
    for (const name of words) {
      const oid = await repo.refs.resolve(`refs/tags/${name}`);
      if (oid === null) {
        run.err(`error: tag '${name}' not found.\n`);
        code = 1;
      } else {
        await repo.refs.remove(`refs/tags/${name}`);
        run.out(`Deleted tag '${name}' (was ${shortOid(oid)})\n`);
      }
    }
    return code;
  }
  const lists = ["list", "number", "sort", "contains", "merged", "points-at", "format"].some((name) => options.has(name));
  if (words.length === 0 || lists) {
    const patterns = words.map((word) => globPattern(word, false));
    const lines = options.has("number") ? (options.value("number") === "" ? 1 : (countOf(options, "number") ?? 1)) : 0;
    for (const { ref, oid } of await wantedTags(repo, options)) {
      const name = ref.slice("refs/tags/".length);
      const format = options.value("format");
      if (patterns.length > 0 && !patterns.some((pattern) => pattern.test(name))) continue;
      if (format !== null) run.out(`${await refText(repo, { ref, oid }, format)}\n`);
      else if (lines === 0) run.out(`${name}\n`);
      else {
        const message = parseHeader(decode((await repo.objects.read(oid)).bytes)).message;
        run.out(`${name.padEnd(15)} ${message.trimEnd().split("\n").slice(0, lines).join("\n    ")}\n`);
      }
    }
    return 0;
  }
  const [name = "", of = "HEAD"] = words;
  if (!isRefName(name)) fatal(`'${name}' is not a valid tag name.`);
  const before = await repo.refs.resolve(`refs/tags/${name}`);
  if (before !== null && !options.has("force")) fatal(`tag '${name}' already exists`);
  let oid = (await findObject(repo, of)) ?? fatal(`Failed to resolve '${of}' as a valid ref.`);
  const file = options.value("file");
  if (options.has("annotate") || options.has("message") || file !== null) {
    if (!options.has("message") && file === null)
      throw new Stop(1, "error: there is no editor in this shell\nPlease supply the message using the -m option.\n");
    const tagger = formatPerson(await repo.committer());
    const given =
      file === null
        ? options.values("message").join("\n\n")
        : file === "-"
          ? run.shell.stdin()
          : decode((await repo.files.read(repo.files.resolve(run.shell.cwd, file))) ?? fatal(`could not open or read '${file}'`));
    const message = cleanMessage(given);
    oid = await repo.objects.write(
      "tag",
      encode(`object ${oid}\ntype ${await typeOf(repo, oid)}\ntag ${name}\ntagger ${tagger}\n\n${message}`),
    );
  }
  await repo.refs.set(`refs/tags/${name}`, oid);
  if (before !== null && before !== oid) run.out(`Updated tag '${name}' (was ${shortOid(before)})\n`);
  return 0;
};

async function wantedTags(repo: Repository, options: Options): Promise<{ readonly ref: string; readonly oid: Oid }[]> {
  const containing = options.value("contains");
  const merged = options.value("merged");
  const pointing = options.value("points-at");
  const wanted = containing === null ? null : await mustFindCommit(repo, containing || "HEAD");
  const behind = merged === null ? null : await reachable(repo, [await mustFindCommit(repo, merged || "HEAD")]);
  const target = pointing === null ? null : await mustFindCommit(repo, pointing);
  const kept: { readonly ref: string; readonly oid: Oid }[] = [];
  for (const { ref, oid } of await repo.refs.all()) {
    if (!ref.startsWith("refs/tags/")) continue;
    const commit = await peel(repo, oid);
    if (wanted !== null && !(await reachable(repo, [commit])).has(wanted)) continue;
    if (behind?.has(commit) === false || (target !== null && commit !== target)) continue;
    kept.push({ ref, oid });
  }
  return sortedRefs(repo, kept, options.values("sort"));
}
