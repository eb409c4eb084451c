import { parseOptions } from "../options.ts";
import { findObject, treeOf, unknownRevision } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { fatal } from "../stop.ts";
import { modes, modeText, type TreeEntry } from "../store/model.ts";
import { decode, quoted } from "../text/bytes.ts";

function rows(entries: readonly TreeEntry[], prefix = ""): string {
  const kind = (mode: number): string => (mode === modes.folder ? "tree" : mode === modes.submodule ? "commit" : "blob");
  return entries.map((entry) => `${modeText(entry.mode)} ${kind(entry.mode)} ${entry.oid}\t${quoted(prefix + entry.name)}\n`).join("");
}

export const catFile: GitCommand = async (run, args) => {
  const options = parseOptions("cat-file", args, ["p", "t", "s", "e"]);
  const repo = await run.repository();
  const text = options.words.at(-1) ?? fatal("usage: git cat-file (-t | -s | -e | -p | <type>) <object>");
  const oid = await findObject(repo, text);
  if (oid === null) return options.has("e") ? 1 : fatal(`Not a valid object name ${text}`);
  const { type, bytes } = await repo.objects.read(oid);
  if (options.has("e")) return 0;
  if (options.has("t")) run.out(`${type}\n`);
  else if (options.has("s")) run.out(`${bytes.length}\n`);
  else if (options.has("p")) run.out(type === "tree" ? rows(await repo.objects.tree(oid)) : decode(bytes));
  else if (options.words.length < 2) fatal("one of -t, -s, -e, -p or a type is needed");
  else if (options.words[0] !== type) fatal(`git cat-file ${text}: bad file`);
  else run.out(decode(bytes));
  return 0;
};

export const lsTree: GitCommand = async (run, args) => {
  const options = parseOptions("ls-tree", args, ["r", "name-only", "name-status", "d", "t", "l long", "z", "full-tree", "full-name"]);
  for (const name of ["d", "t", "long", "z"]) if (options.has(name)) fatal(`Vibey's git ls-tree has no -${name}`);
  const repo = await run.repository();
  const [revision = "", ...given] = options.words;
  const tree = await treeOf(repo, (await findObject(repo, revision)) ?? unknownRevision(revision));
  const spec = repo.spec([...given, ...(options.paths ?? [])]);
  const names = options.has("name-only") || options.has("name-status");
  const show = async (oid: string, prefix: string): Promise<void> => {
    for (const entry of await repo.objects.tree(oid)) {
      const path = prefix + entry.name;
      const isFolder = entry.mode === modes.folder;
      const below =
        isFolder && (options.has("r") || given.some((text) => text.replace(/\/$/, "").startsWith(`${path}/`) || text === `${path}/`));
      if (below && spec.mayMatchBelow(path)) await show(entry.oid, `${path}/`);
      else if (!below && spec.matches(path)) run.out(names ? `${quoted(path)}\n` : rows([entry], prefix));
    }
  };
  await show(tree, "");
  return 0;
};
