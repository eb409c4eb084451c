import { cleanMessage } from "../commit.ts";
import { countOf, parseOptions } from "../options.ts";
import { findObject, shortOid, typeOf } from "../revision.ts";
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
    "contains=",
    "merged=?",
    "points-at=",
    "format=",
  ]);
  for (const name of ["sign", "sort", "contains", "merged", "points-at", "format", "file"]) if (options.has(name)) absent(`tag --${name}`);
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
  if (words.length === 0 || options.has("list") || options.has("number")) {
    const patterns = words.map((word) => globPattern(word, false));
    const lines = options.has("number") ? (options.value("number") === "" ? 1 : (countOf(options, "number") ?? 1)) : 0;
    for (const name of await repo.refs.tags()) {
      if (patterns.length > 0 && !patterns.some((pattern) => pattern.test(name))) continue;
      if (lines === 0) run.out(`${name}\n`);
      else {
        const oid = await repo.refs.resolve(`refs/tags/${name}`);
        const message = oid === null ? "" : parseHeader(decode((await repo.objects.read(oid)).bytes)).message;
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
  if (options.has("annotate") || options.has("message")) {
    if (!options.has("message"))
      throw new Stop(1, "error: there is no editor in this shell\nPlease supply the message using the -m option.\n");
    const tagger = formatPerson(await repo.committer());
    const message = cleanMessage(options.values("message").join("\n\n"));
    oid = await repo.objects.write(
      "tag",
      encode(`object ${oid}\ntype ${await typeOf(repo, oid)}\ntag ${name}\ntagger ${tagger}\n\n${message}`),
    );
  }
  await repo.refs.set(`refs/tags/${name}`, oid);
  if (before !== null && before !== oid) run.out(`Updated tag '${name}' (was ${shortOid(before)})\n`);
  return 0;
};
