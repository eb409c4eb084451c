import { PatternError, toRegExp } from "../../posix-regex.ts";
import { type Options, parseOptions, countOf } from "../options.ts";
import type { Repository } from "../repository.ts";
import { findObject, splitRevisions, treeOf } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { compareBytes, decode, isBinary } from "../text/bytes.ts";
import { findUntracked } from "../worktree.ts";
import { relativeTo } from "./status.ts";

const spec = [
  "n line-number",
  "i ignore-case",
  "l files-with-matches",
  "name-only",
  "L files-without-match",
  "c count",
  "v invert-match",
  "w word-regexp",
  "q quiet",
  "h no-filename",
  "H with-filename",
  "o only-matching",
  "E extended-regexp",
  "G basic-regexp",
  "F fixed-strings",
  "P perl-regexp",
  "e=",
  "f=",
  "and",
  "or",
  "not",
  "all-match",
  "cached",
  "untracked",
  "no-index",
  "A after-context=",
  "B before-context=",
  "C context=",
  "m max-count=",
  "p show-function",
  "W function-context",
  "I",
  "a text",
  "z null",
  "column",
  "heading",
  "break",
  "color=?",
  "no-color",
  "max-depth=",
  "r recursive",
  "full-name",
  "recurse-submodules",
  "number",
];

/** `git grep`: searches tracked files of the working tree, the index or a tree. */
export const grep: GitCommand = async (run, args) => {
  const options = parseOptions("grep", args, spec);
  for (const name of ["f", "and", "not", "no-index", "show-function", "function-context", "break", "heading", "max-depth"])
    if (options.has(name)) absent(`grep --${name}; use grep`, 128);
  const words = [...options.words];
  const patterns = options.has("e") ? options.values("e") : [words.shift() ?? fatal("no pattern given")];
  const matches = matcher(options, patterns);
  const repo = await run.repository();
  const { revisions, paths } = await splitRevisions(repo, words, options.paths);
  const pathspec = repo.spec(paths.length === 0 && repo.prefix !== "" ? ["."] : paths);
  const quoted = await repo.quoting();
  const paint = (await isColored(repo, options)) ? painted : plain;
  let found = false;
  for (const revision of revisions.length === 0 ? [null] : revisions) {
    for (const [path, read] of await filesOf(repo, revision, options, pathspec)) {
      const bytes = await read();
      if (bytes === null) continue;
      const shown = options.has("full-name") ? path : relativeTo(repo.prefix)(path);
      const name = `${revision === null ? "" : `${revision}:`}${options.has("null") ? shown : quoted(shown)}`;
      const text = printFile(options, name, bytes, matches, paint);
      if (text === null) continue;
      found = true;
      if (options.has("quiet")) return 0;
      run.out(text);
    }
  }
  return found ? 0 : 1;
};

type Matches = (line: string) => readonly { readonly at: number; readonly text: string }[];

function matcher(options: Options, patterns: readonly string[]): Matches {
  const kind = options.has("fixed-strings")
    ? "fixed"
    : options.has("extended-regexp")
      ? "extended"
      : options.has("perl-regexp")
        ? "perl"
        : "basic";
  const flags = `g${options.has("ignore-case") ? "i" : ""}`;
  const expressions = patterns.map((pattern) => {
    try {
      return toRegExp(pattern, kind, flags);
    } catch (error) {
      if (error instanceof PatternError) return fatal(`command line, '${pattern}': ${error.message}`);
      throw error;
    }
  });
  const isWord = (line: string, at: number, text: string): boolean =>
    !/[\p{L}\p{N}_]$/u.test(line.slice(Math.max(0, at - 2), at)) &&
    !/^[\p{L}\p{N}_]/u.test(line.slice(at + text.length, at + text.length + 2));
  return (line) =>
    expressions
      .flatMap((expression) => [...line.matchAll(expression)].map((match) => ({ at: match.index, text: match[0] })))
      .filter(({ at, text }) => !options.has("word-regexp") || (text !== "" && isWord(line, at, text)))
      .toSorted((a, b) => a.at - b.at);
}

type Reader = () => Promise<Uint8Array | null>;

async function filesOf(
  repo: Repository,
  revision: string | null,
  options: Options,
  pathspec: ReturnType<Repository["spec"]>,
): Promise<[path: string, read: Reader][]> {
  if (revision !== null) {
    const oid = (await findObject(repo, revision)) ?? fatal(`unable to resolve revision: ${revision}`);
    const files = await repo.objects.files(await treeOf(repo, oid));
    return [...files].filter(([path]) => pathspec.matches(path)).map(([path, file]) => [path, () => repo.objects.blob(file.oid)]);
  }
  const index = await repo.readIndex();
  const names = [...index.files.keys(), ...index.conflicts.keys()].filter((path) => pathspec.matches(path));
  if (options.has("untracked")) names.push(...(await findUntracked(repo, index, pathspec, { fold: false })).untracked);
  return names.toSorted(compareBytes).map((path) => {
    const entry = index.files.get(path);
    const isFile = async (): Promise<boolean> => (await repo.files.stat(repo.absolute(path)))?.isFolder === false && !repo.isVibeys(path);
    return [
      path,
      async () =>
        options.has("cached")
          ? entry
            ? repo.objects.blob(entry.oid)
            : null
          : (await isFile())
            ? repo.files.read(repo.absolute(path))
            : null,
    ];
  });
}

type Part = "name" | "number" | "sign" | "match";
type Paint = (part: Part, text: string) => string;

const codes: Readonly<Record<Part, string>> = { name: "35", number: "32", sign: "36", match: "1;31" };
const painted: Paint = (part, text) => `\u001b[${codes[part]}m${text}\u001b[m`;
const plain: Paint = (_, text) => text;

/** There is no terminal, so only "always" colors. */
async function isColored(repo: Repository, options: Options): Promise<boolean> {
  const last = options.order.findLast((name) => name === "color" || name === "no-color");
  const setting = (await repo.setting("color.grep")) ?? (await repo.setting("color.ui"));
  const when = last === "no-color" ? "never" : last === "color" ? options.value("color") || "always" : (setting ?? "auto");
  return when === "always";
}

/** Null: no match. */
function printFile(options: Options, path: string, bytes: Uint8Array, matches: Matches, paint: Paint): string | null {
  const name = paint("name", path);
  const binary = isBinary(bytes) && !options.has("text");
  if (binary && options.has("I")) return null;
  const lines = decode(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const invert = options.has("invert-match");
  const most = countOf(options, "max-count") ?? Number.POSITIVE_INFINITY;
  const hits = new Map<number, ReturnType<Matches>>();
  for (const [i, line] of lines.entries()) {
    if (hits.size >= most) break;
    const found = matches(line);
    if (found.length > 0 !== invert) hits.set(i, found);
  }
  const end = options.has("null") ? "\0" : "\n";
  if (options.has("files-without-match")) return hits.size === 0 ? `${name}${end}` : null;
  if (hits.size === 0) return null;
  if (options.has("files-with-matches") || options.has("name-only")) return `${name}${end}`;
  const prefix = options.has("no-filename") ? "" : name;
  // With -z, a NUL ends each name and number.
  const signOf = (kind: string): string => (options.has("null") ? "\0" : paint("sign", kind));
  if (options.has("count")) return `${prefix}${prefix === "" ? "" : signOf(":")}${hits.size}\n`;
  if (binary) return `Binary file ${name} matches\n`;
  const around = countOf(options, "context") ?? countOf(options, "number") ?? 0;
  const before = countOf(options, "before-context") ?? around;
  const after = countOf(options, "after-context") ?? around;
  const label = (i: number, kind: string, column: number | null): string => {
    const sign = signOf(kind);
    const numbers = [options.has("line-number") ? i + 1 : null, column !== null && options.has("column") ? column + 1 : null];
    return (prefix === "" ? "" : prefix + sign) + numbers.map((n) => (n === null ? "" : paint("number", String(n)) + sign)).join("");
  };
  let text = "";
  let last = -1;
  for (const [i, found] of hits) {
    if (options.has("only-matching") && !invert) {
      for (const match of found) text += `${label(i, ":", match.at)}${paint("match", match.text)}\n`;
      continue;
    }
    const start = Math.max(last + 1, i - before);
    if ((before > 0 || after > 0) && last >= 0 && start > last + 1) text += `${paint("sign", "--")}\n`;
    for (let at = start; at < i; at++) text += `${label(at, "-", null)}${lines[at] ?? ""}\n`;
    text += `${label(i, ":", found[0]?.at ?? 0)}${invert ? (lines[i] ?? "") : marked(lines[i] ?? "", found, paint)}\n`;
    last = i;
    for (let at = i + 1; at <= i + after && at < lines.length && !hits.has(at); at++) {
      text += `${label(at, "-", null)}${lines[at] ?? ""}\n`;
      last = at;
    }
  }
  return text;
}

/** The line with its matches in color. */
function marked(line: string, found: ReturnType<Matches>, paint: Paint): string {
  let text = "";
  let end = 0;
  for (const match of found) {
    if (match.at < end || match.text === "") continue;
    text += line.slice(end, match.at) + paint("match", match.text);
    end = match.at + match.text.length;
  }
  return text + line.slice(end);
}
