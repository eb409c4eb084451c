import { type Options, parseOptions } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findObject, treeOf, unknownObject } from "../revision.ts";
import type { GitCommand, Run } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { modes, modeText, type TreeEntry } from "../store/model.ts";
import { type Quote } from "../text/bytes.ts";
import { relativeTo } from "./status.ts";

function rows(quoted: Quote, entries: readonly TreeEntry[], prefix = ""): string {
  const kind = (mode: number): string => (mode === modes.folder ? "tree" : mode === modes.submodule ? "commit" : "blob");
  return entries.map((entry) => `${modeText(entry.mode)} ${kind(entry.mode)} ${entry.oid}\t${quoted(prefix + entry.name)}\n`).join("");
}

export const catFile: GitCommand = async (run, args) => {
  const options = parseOptions("cat-file", args, [
    "p",
    "t",
    "s",
    "e",
    "batch=?",
    "batch-check=?",
    "batch-all-objects",
    "buffer",
    "unordered",
    "textconv",
    "filters",
  ]);
  for (const name of ["batch-all-objects", "textconv", "filters"]) if (options.has(name)) absent(`cat-file --${name}`);
  const repo = await run.repository();
  if (options.has("batch") || options.has("batch-check")) return batch(run, repo, options);
  const text = options.words.at(-1) ?? fatal("usage: git cat-file (-t | -s | -e | -p | <type>) <object>");
  const oid = await findObject(repo, text);
  if (oid === null && options.has("e") && /^[0-9a-f]{40}$/.test(text)) return 1;
  if (oid === null) return text.includes(":") ? unknownObject(repo, text) : fatal(`Not a valid object name ${text}`);
  const { type, bytes } = await repo.objects.read(oid);
  if (options.has("e")) return 0;
  if (options.has("t")) run.out(`${type}\n`);
  else if (options.has("s")) run.out(`${bytes.length}\n`);
  else if (options.has("p")) {
    if (type === "tree") run.out(rows(await repo.quoting(), await repo.objects.tree(oid)));
    else run.outBytes(bytes);
  } else if (options.words.length < 2) fatal("one of -t, -s, -e, -p or a type is needed");
  else if (options.words[0] !== type) fatal(`git cat-file ${text}: bad file`);
  else run.outBytes(bytes);
  return 0;
};

/** `--batch` and `--batch-check`: reads object names from standard input, one per line. */
async function batch(run: Run, repo: Repository, options: Options): Promise<number> {
  const whole = options.has("batch");
  const format = options.value("batch") || options.value("batch-check") || "%(objectname) %(objecttype) %(objectsize)";
  const lines = run.shell.stdin().split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    // With %(rest) the name ends at the first blank.
    const [name, rest] = format.includes("%(rest)") ? [line.split(/\s/)[0] ?? "", line.replace(/^\S+\s*/, "")] : [line, ""];
    const oid = await findObject(repo, name);
    if (oid === null) {
      run.out(`${name} missing\n`);
      continue;
    }
    const { type, bytes } = await repo.objects.read(oid);
    const fields: Readonly<Record<string, string>> = { objectname: oid, objecttype: type, objectsize: String(bytes.length), rest };
    run.out(`${format.replaceAll(/%\(([^)]*)\)/g, (_, field: string) => fields[field] ?? fatal(`unknown format element: ${field}`))}\n`);
    if (!whole) continue;
    run.outBytes(bytes);
    run.out("\n");
  }
  return 0;
}

export const lsTree: GitCommand = async (run, args) => {
  const options = parseOptions("ls-tree", args, [
    "r",
    "name-only",
    "name-status",
    "object-only",
    "d",
    "t",
    "l long",
    "z",
    "full-tree",
    "full-name",
    "abbrev=?",
  ]);
  const repo = await run.repository();
  const [revision = "", ...given] = options.words;
  const oid = (await findObject(repo, revision)) ?? fatal(`Not a valid object name ${revision}`);
  const tree = await treeOf(repo, oid);
  const typed = [...given, ...(options.paths ?? [])];
  const [cwd, prefix] = options.has("full-tree") ? [repo.top, ""] : [run.shell.cwd, repo.prefix];
  // In a subfolder, git lists that folder. A slash at the end means the folder's content.
  const pathOf = (text: string): string => repo.files.resolve(cwd, text).slice(repo.top.length + 1) + (text.endsWith("/") ? "/" : "");
  const wanted = typed.length === 0 && prefix !== "" ? [prefix] : typed.map(pathOf);
  const isWanted = (path: string): boolean =>
    wanted.length === 0 || wanted.some((one) => one === "" || `${path}/`.startsWith(one.endsWith("/") ? one : `${one}/`));
  const leadsTo = (folder: string): boolean =>
    wanted.some((one) => one === `${folder}/` || one.replace(/\/$/, "").startsWith(`${folder}/`));
  const relative = options.has("full-name") ? (path: string) => path : relativeTo(prefix);
  const quoted = await repo.quoting();
  const names = options.has("name-only") || options.has("name-status");
  const show = async (folder: string, above: string): Promise<void> => {
    for (const entry of await repo.objects.tree(folder)) {
      const path = above + entry.name;
      const isFolder = entry.mode === modes.folder;
      const below = isFolder && ((options.has("r") && isWanted(path)) || leadsTo(path));
      const print = async (): Promise<void> => {
        if (options.has("d") && !isFolder) return;
        const end = options.has("z") ? "\0" : "\n";
        const shown = `${path}/` === prefix && !options.has("full-name") ? "./" : relative(path);
        const name = options.has("z") ? shown : quoted(shown);
        if (names) run.out(`${name}${end}`);
        else if (options.has("object-only")) run.out(`${entry.oid}${end}`);
        else {
          const kind = isFolder ? "tree" : entry.mode === modes.submodule ? "commit" : "blob";
          const size = !options.has("long")
            ? ""
            : ` ${(kind === "blob" ? String((await repo.objects.blob(entry.oid)).length) : "-").padStart(7)}`;
          const short = options.has("abbrev") ? entry.oid.slice(0, Number(options.value("abbrev") || 7)) : entry.oid;
          run.out(`${modeText(entry.mode)} ${kind} ${short}${size}\t${name}${end}`);
        }
      };
      if (below) {
        // -t also prints folders; -d prints only folders.
        if ((options.has("t") || options.has("d")) && options.has("r") && isWanted(path)) await print();
        await show(entry.oid, `${path}/`);
      } else if (isWanted(path)) await print();
    }
  };
  await show(tree, "");
  return 0;
};
