import type { FsStat } from "just-bash/browser";
import { failed } from "./answer.ts";
import { command } from "./command.ts";
import { absolute, linkStatOf, statOf } from "./files.ts";
import { parseOptions, type Options } from "./options.ts";

/** Converts shell patterns for whole names; `|` separates several. */
function nameExpression(patterns: readonly string[], flags: string): RegExp {
  const texts = patterns
    .flatMap((pattern) => pattern.split("|"))
    .map((pattern) =>
      pattern
        .replace(/\/$/, "")
        .replaceAll(/[.+^${}()\\]|\*\*?|\?|\[!/g, (found) =>
          found.startsWith("*") ? ".*" : found === "?" ? "." : found === "[!" ? "[^" : `\\${found}`,
        ),
    );
  return new RegExp(`^(?:${texts.join("|")})$`, flags);
}

const treeLong = {
  noreport: "noreport",
  dirsfirst: "first",
  prune: "prune",
  charset: "charset",
  filelimit: "limit",
  "ignore-case": "case",
  gitignore: "gitignore",
  matchdirs: "ignored",
  sort: "ignored-value",
  "du-size": "ignored",
  filesfirst: "last",
};

interface Node {
  readonly name: string;
  readonly path: string;
  readonly stat: FsStat;
  readonly below: readonly Node[];
}

const tree = command("tree", async (args, context) => {
  const options = parseOptions(args, "adfiFsphDnCNqrtvuglL:I:P:o:", treeLong, ["charset", "limit", "ignored-value"]);
  if (typeof options === "string") return failed("tree", options);
  if (options.has("gitignore")) return failed("tree", "--gitignore is not here; use -I 'node_modules|dist'");
  const depth = Number(options.value("L") ?? Infinity);
  if (!(depth >= 1)) return failed("tree", "Invalid level, must be greater than 0.");
  const flags = options.has("case") ? "i" : "";
  const hides = options.has("I") ? nameExpression(options.values("I"), flags) : null;
  const shows = options.has("P") ? nameExpression(options.values("P"), flags) : null;

  const all = options;

  async function below(path: string, level: number): Promise<readonly Node[]> {
    if (level > depth) return [];
    const nodes: Node[] = [];
    for (const name of await context.fs.readdir(absolute(context, path))) {
      if ((name.startsWith(".") && !all.has("a")) || hides?.test(name) === true) continue;
      const at = path.endsWith("/") ? path + name : `${path}/${name}`;
      const stat = await linkStatOf(context, at);
      if (stat === null || (!stat.isDirectory && (all.has("d") || shows?.test(name) === false))) continue;
      const inside = stat.isDirectory ? await below(at, level + 1) : [];
      if (all.has("prune") && stat.isDirectory && inside.length === 0) continue;
      nodes.push({ name, path: at, stat, below: inside });
    }
    if (all.has("t")) nodes.sort((a, b) => b.stat.mtime.getTime() - a.stat.mtime.getTime());
    if (all.has("r")) nodes.reverse();
    const folders = (node: Node): number => Number(node.stat.isDirectory) * (all.has("first") ? -1 : all.has("last") ? 1 : 0);
    return nodes.toSorted((a, b) => folders(a) - folders(b));
  }

  let stdout = "";
  let isMissing = false;
  const count = { folders: 0, files: 0 };
  for (const start of options.operands.length === 0 ? ["."] : options.operands) {
    const stat = await statOf(context, start);
    if (stat?.isDirectory !== true) {
      stdout += `${start}  [error opening dir]\n`;
      isMissing = true;
      continue;
    }
    count.folders++;
    const nodes = await below(start, 1);
    stdout += `${start}\n${drawn(nodes, "", options, count)}`;
  }
  if (!options.has("noreport")) stdout += `\n${report(count, options)}\n`;
  const to = options.value("o");
  if (to !== null) {
    await context.fs.writeFile(absolute(context, to), stdout);
    stdout = "";
  }
  return { stdout, exitCode: isMissing ? 2 : 0 };
});

function drawn(nodes: readonly Node[], before: string, options: Options, count: { folders: number; files: number }): string {
  const isAscii = options.value("charset") !== null && !/utf-?8/i.test(options.value("charset") ?? "");
  const [branch, corner, line] = isAscii ? ["|-- ", "`-- ", "|   "] : ["├── ", "└── ", "│\u00a0\u00a0 "];
  let text = "";
  for (const [i, node] of nodes.entries()) {
    const isLast = i === nodes.length - 1;
    const { isDirectory, mode } = node.stat;
    count[isDirectory ? "folders" : "files"]++;
    const mark = !options.has("F") ? "" : isDirectory ? "/" : (mode & 0o111) !== 0 ? "*" : "";
    const size = options.has("s") || options.has("h") ? `[${String(isDirectory ? 4096 : node.stat.size).padStart(11)}]  ` : "";
    text += `${options.has("i") ? "" : before + (isLast ? corner : branch)}${size}${options.has("f") ? node.path : node.name}${mark}\n`;
    text += drawn(node.below, before + (isLast ? "    " : line), options, count);
  }
  return text;
}

function report({ folders, files }: { readonly folders: number; readonly files: number }, options: Options): string {
  const one = `${folders} ${folders === 1 ? "directory" : "directories"}`;
  return options.has("d") ? one : `${one}, ${files} ${files === 1 ? "file" : "files"}`;
}

const duLong = {
  all: "a",
  "apparent-size": "apparent",
  bytes: "b",
  "human-readable": "h",
  "max-depth": "d",
  summarize: "s",
  total: "c",
  exclude: "exclude",
  "separate-dirs": "S",
  null: "0",
  "block-size": "B",
  threshold: "t",
  "one-file-system": "x",
  dereference: "L",
  "no-dereference": "P",
  si: "h",
  time: "ignored",
};

const du = command("du", async (args, context) => {
  const options = parseOptions(args, "abcd:hkmsSx0B:t:lLPDH", duLong, ["exclude"]);
  if (typeof options === "string") return failed("du", `${options}\nTry 'du --help' for more information.`);
  const apparent = options.has("b") || options.has("apparent");
  const depth = options.has("s") ? 0 : Number(options.value("d") ?? Infinity);
  if (Number.isNaN(depth))
    return failed("du", `invalid maximum depth '${options.value("d") ?? ""}'\nTry 'du --help' for more information.`);
  const hides = options.values("exclude").length > 0 ? nameExpression(options.values("exclude"), "") : null;
  const unit = options.has("b") ? 1 : options.has("m") ? 1024 ** 2 : unitOf(options.value("B"));
  const end = options.has("0") ? "\0" : "\n";
  const [isApart, showsFiles, isHuman] = [options.has("S"), options.has("a"), options.has("h")];
  let stdout = "";
  let stderr = "";
  let total = 0;
  const print = (bytes: number, path: string): void =>
    void (stdout += `${isHuman ? human(bytes) : Math.ceil(bytes / unit)}\t${path}${end}`);

  async function add(path: string, level: number): Promise<number> {
    const stat = await linkStatOf(context, path);
    if (stat === null || (level > 0 && hides?.test(path.replace(/^.*\//, "")) === true)) return 0;
    let bytes = apparent ? (stat.isDirectory ? 4096 : stat.size) : stat.isDirectory ? 4096 : Math.ceil(stat.size / 4096) * 4096;
    if (stat.isDirectory)
      for (const name of await context.fs.readdir(absolute(context, path))) {
        const at = path.endsWith("/") ? path + name : `${path}/${name}`;
        const inside = await add(at, level + 1);
        if (!isApart || (await linkStatOf(context, at))?.isDirectory !== true) bytes += inside;
      }
    if (level <= depth && (stat.isDirectory || level === 0 || showsFiles)) print(bytes, path);
    return bytes;
  }

  for (const path of options.operands.length === 0 ? ["."] : options.operands)
    if ((await linkStatOf(context, path)) === null) stderr += `du: cannot access '${path}': No such file or directory\n`;
    else total += await add(path, 0);
  if (options.has("c")) print(total, "total");
  return { stdout, stderr, exitCode: stderr === "" ? 0 : 1 };
});

function unitOf(given: string | null): number {
  const found = /^(\d*)([KMG]?)B?$/i.exec(given ?? "1K");
  const factor = { "": 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[(found?.[2] ?? "").toUpperCase()] ?? 1024;
  return Math.max(1, Number(found?.[1] === "" ? 1 : (found?.[1] ?? 1)) * factor);
}

function human(bytes: number): string {
  let value = bytes;
  for (const unit of ["", "K", "M", "G"]) {
    if (value < 1024 || unit === "G")
      return unit === "" ? String(value) : `${value < 10 ? (Math.ceil(value * 10) / 10).toFixed(1) : Math.ceil(value)}${unit}`;
    value /= 1024;
  }
  return String(bytes);
}

export const folderTools = [tree, du];
