import { parseOptions } from "../options.ts";
import { commitFormat, formatOptions } from "../print-commit.ts";
import type { Repository } from "../repository.ts";
import { findObject, shortOid, splitRevisions, unknownObject } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { fatal } from "../stop.ts";
import { type Commit, modes, type Oid } from "../store/model.ts";
import { parseHeader, parsePerson } from "../store/objects.ts";
import { decode } from "../text/bytes.ts";
import { formatDate } from "../text/dates.ts";
import { asksForChanges, changeOptions, combinedText, printChanges } from "./diff.ts";
import { changesOf, joinCommit, startsOf, walk } from "./log.ts";

export const show: GitCommand = async (run, args) => {
  const options = parseOptions("show", args, [...formatOptions, ...changeOptions, "first-parent", "q quiet"]);
  const repo = await run.repository();
  const { revisions, paths } = await splitRevisions(repo, options.words, options.paths);
  const format = await commitFormat(repo, options);
  const spec = repo.spec(paths);
  const { matches } = spec;

  async function one(text: string, oid: Oid): Promise<string> {
    const object = await repo.objects.read(oid);
    switch (object.type) {
      case "blob":
        return decode(object.bytes);
      case "tree": {
        const entries = await repo.objects.tree(oid);
        return `tree ${text}\n\n${entries.map((entry) => `${entry.name}${entry.mode === modes.folder ? "/" : ""}\n`).join("")}`;
      }
      case "tag":
        return showTag(text, decode(object.bytes));
      case "commit": {
        const commit = await repo.objects.commit(oid);
        // git counts the changes of a merge against its first parent.
        const counts = ["stat", "numstat", "shortstat", "summary", "compact-summary"].some((name) => options.has(name));
        const changes = await changesOf(repo, commit, matches, options.has("first-parent") || counts);
        if (!spec.all && changes?.length === 0) return "";
        const quiet = options.has("quiet") || options.has("no-patch");
        const usual = asksForChanges(options) ? "nothing" : "patch";
        const printed = quiet ? "" : changes === null ? await combinedOf(commit) : await printChanges(repo, options, changes, usual);
        const empty = changes === null && !quiet && printed === "" && format.kind === "long" ? "\n" : "";
        return joinCommit(format, await format.print(commit), printed, true, options) + empty;
      }
    }
  }

  /** The changes of a merge itself: files that differ from those of every parent. */
  async function combinedOf(commit: Commit): Promise<string> {
    const parents = await Promise.all(commit.parents.map((parent) => repo.snapshot(parent)));
    let text = "";
    for (const [path, file] of await repo.snapshot(commit.oid)) {
      const before = parents.map((parent) => parent.get(path)?.oid ?? null);
      const known = before.filter((oid) => oid !== null);
      if (!matches(path) || known.length < before.length || known.includes(file.oid)) continue;
      text += await combinedText(repo, path, known, await repo.objects.blob(file.oid), shortOid(file.oid));
    }
    return text;
  }

  async function showTag(name: string, text: string): Promise<string> {
    const { fields, message } = parseHeader(text);
    const field = (key: string): string => fields.find(([found]) => found === key)?.[1] ?? "";
    const tagger = parsePerson(field("tagger"));
    const head = `tag ${field("tag") || name}\nTagger: ${tagger.name} <${tagger.email}>\nDate:   ${formatDate(tagger, "default", run.shell.now())}\n\n${message}\n`;
    return head + (await one(name, field("object") || fatal(`tag ${name} is damaged`)));
  }

  let printed = "";
  for (const text of await withoutRanges(repo, revisions.length === 0 ? ["HEAD"] : revisions)) {
    const oid = (await findObject(repo, text)) ?? (await missing(repo, text));
    const object = await repo.objects.read(oid);
    const gap = printed !== "" && (format.kind === "long" || (format.kind === "separated" && object.type === "commit")) ? "\n" : "";
    if (object.type === "blob") run.outBytes(object.bytes);
    else {
      printed = await one(text, oid);
      run.out(gap + printed);
    }
  }
  return 0;
};

/** The words, or if one is a range, the commits that they select, newest first. */
async function withoutRanges(repo: Repository, words: readonly string[]): Promise<readonly string[]> {
  if (!words.some((word) => /^[^:]*\.\./.test(word) || word.startsWith("^"))) return words;
  const oids: Oid[] = [];
  for await (const { commit } of walk(repo, await startsOf(repo, words, null), false, false, repo.spec([]))) oids.push(commit.oid);
  return oids;
}

async function missing(repo: Repository, text: string): Promise<never> {
  const { oid, branch } = await repo.refs.head();
  if (text === "HEAD" && oid === null) fatal(`your current branch '${branch ?? "HEAD"}' does not have any commits yet`);
  return unknownObject(repo, text);
}
