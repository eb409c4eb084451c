import { cleanMessage, indexTree } from "../commit.ts";
import { parseOptions } from "../options.ts";
import { findObject, mustFindCommit, treeOf, unknownRevision } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import type { IndexEntry } from "../store/index-file.ts";
import { decode, encode } from "../text/bytes.ts";
import { log } from "./log.ts";

/** `git write-tree`: writes the index as a tree. */
export const writeTree: GitCommand = async (run, args) => {
  const options = parseOptions("write-tree", args, ["missing-ok", "prefix="]);
  if (options.has("prefix")) absent("write-tree --prefix");
  const repo = await run.repository();
  const index = await repo.readIndex();
  if (index.conflicts.size > 0) fatal("git-write-tree: error building trees");
  run.out(`${await indexTree(repo, index)}\n`);
  return 0;
};

/** `git commit-tree`: writes a commit without moving a branch. */
export const commitTree: GitCommand = async (run, args) => {
  const options = parseOptions("commit-tree", args, ["p=", "m message=", "F file=", "S gpg-sign=?"]);
  if (options.has("gpg-sign")) absent("commit-tree -S: there are no signatures here");
  const repo = await run.repository();
  const [typed = fatal("usage: git commit-tree <tree> [(-p <parent>)...] [-m <message>]")] = options.words;
  const tree = await treeOf(repo, (await findObject(repo, typed)) ?? fatal(`not a valid object name ${typed}`));
  const parents: string[] = [];
  for (const name of options.values("p")) parents.push(await mustFindCommit(repo, name));
  const texts = [...options.values("message")];
  for (const name of options.values("file")) {
    const bytes = name === "-" ? encode(run.shell.stdin()) : await repo.files.read(repo.files.resolve(run.shell.cwd, name));
    texts.push(decode(bytes ?? fatal(`git commit-tree: failed to open '${name}': No such file or directory`)));
  }
  const message = texts.length > 0 ? cleanMessage(texts.join("\n\n")) : run.shell.stdin();
  run.out(`${await repo.writeCommit({ tree, parents, author: await repo.author(), committer: await repo.committer(), message })}\n`);
  return 0;
};

/** `git read-tree`: fills the index from one tree. */
export const readTree: GitCommand = async (run, args) => {
  const options = parseOptions("read-tree", args, ["m", "u", "reset", "empty", "prefix=", "i", "q quiet"]);
  for (const name of ["m", "u", "reset", "prefix"]) if (options.has(name)) absent(`read-tree --${name}; use git checkout or git reset`);
  const repo = await run.repository();
  const index = await repo.readIndex();
  const [typed] = options.words;
  if (options.words.length > 1) absent("read-tree of several trees; use git merge");
  if (typed === undefined && !options.has("empty")) fatal("usage: git read-tree [--empty | <tree-ish>]");
  const tree = typed === undefined ? null : await treeOf(repo, (await findObject(repo, typed)) ?? unknownRevision(typed));
  const files = new Map<string, IndexEntry>();
  if (tree !== null) {
    for (const [path, file] of await repo.objects.files(tree)) {
      const old = index.files.get(path);
      files.set(path, old?.oid === file.oid && old.mode === file.mode ? old : { ...file, size: -1, mtime: 0 });
    }
  }
  await repo.writeIndex({ files, conflicts: new Map(), intents: new Map() });
  return 0;
};

/** `git whatchanged`: the log with raw changes, without merges. */
export const whatchanged: GitCommand = (run, args) => log(run, ["--raw", "--no-merges", ...args]);
