import { PatternError, toRegExp } from "../posix-regex.ts";
import { toBytesOf, toOutput, toText } from "../stray-bytes.ts";
import type { CommonHost } from "../host.ts";
import { type Answer, type Context, failed, type Run, stdinBytes } from "./answer.ts";
import { absolute, globExpression, readInput, statOf } from "./files.ts";
import { type Options, parseOptions } from "./options.ts";

const long = {
  "extended-regexp": "E",
  "fixed-strings": "F",
  "basic-regexp": "G",
  "perl-regexp": "P",
  regexp: "e",
  file: "f",
  "ignore-case": "i",
  "no-ignore-case": "1",
  "invert-match": "v",
  "word-regexp": "w",
  "line-regexp": "x",
  count: "c",
  "files-with-matches": "l",
  "files-without-match": "L",
  quiet: "q",
  silent: "q",
  "no-messages": "s",
  "line-number": "n",
  "with-filename": "H",
  "no-filename": "h",
  "only-matching": "o",
  recursive: "r",
  "dereference-recursive": "R",
  "after-context": "A",
  "before-context": "B",
  context: "C",
  "max-count": "m",
  "byte-offset": "b",
  null: "Z",
  "null-data": "z",
  text: "a",
  binary: "U",
  "initial-tab": "T",
  include: "2",
  exclude: "3",
  "exclude-dir": "4",
  "exclude-from": "5",
  color: "6",
  colour: "6",
  "line-buffered": "u",
  label: "7",
  "binary-files": "8",
  directories: "d",
  devices: "D",
  "no-group-separator": "9",
  "group-separator": "0",
};

/** GNU grep, also under the names `egrep` and `fgrep`. */
export const grep =
  (host: CommonHost, name: "grep" | "egrep" | "fgrep" = "grep"): Run =>
  async (given, context) => {
    // `-5` means `-C 5`; `--color` alone has no value.
    const args = given.map((arg) =>
      /^-\d+$/.test(arg) ? `-C${arg.slice(1)}` : arg === "--color" || arg === "--colour" ? `${arg}=auto` : arg,
    );
    const options = parseOptions(args, "EFGPe:f:i1vwxclLqsnHhorRA:B:C:m:bZzaUTIuyD:d:9", long, ["2", "3", "4", "5", "6", "7", "8", "0"]);
    if (typeof options === "string") return failed("grep", options, 2);
    if (options.has("5")) return failed("grep", "--exclude-from is not here; use --exclude", 2);
    const operands = [...options.operands];
    const patterns: string[] = [...options.values("e")].flatMap((text) => text.split("\n"));
    for (const file of options.values("f")) {
      const read = await readInput(context, file);
      if (!read.ok) return failed("grep", `${file}: ${read.why}`, 2);
      const text = toText(read.bytes).replace(/\n$/, "");
      if (read.bytes.length > 0) for (const line of text.split("\n")) patterns.push(line);
    }
    if (!options.has("e") && !options.has("f")) {
      const first = operands.shift();
      if (first === undefined)
        return { stderr: "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n", exitCode: 2 };
      patterns.push(...first.split("\n"));
    }
    let search: Search;
    try {
      search = searchOf(patterns, options, name);
    } catch (error) {
      if (error instanceof PatternError) return failed("grep", error.message, 2);
      throw error;
    }
    return new Grep(host, context, options, search).run(operands);
  };

interface Search {
  /** Whether a text of many lines may contain a match. */
  maybe(text: string): boolean;
  /** The matches in a line; null if there are none. */
  find(line: string): readonly { readonly at: number; readonly text: string }[] | null;
}

function searchOf(patterns: readonly string[], options: Options, name: string): Search {
  const kind = options.has("P")
    ? "perl"
    : options.has("E") || (name === "egrep" && !options.has("F"))
      ? "extended"
      : options.has("F") || name === "fgrep"
        ? "fixed"
        : "basic";
  // With -z a line may contain line feeds, which a dot then matches.
  const flags = (options.has("i") || options.has("y") ? "i" : "") + (options.has("z") && kind !== "perl" ? "s" : "");
  const expressions = patterns.map((pattern) => toRegExp(pattern, kind, `g${flags}`));
  // The whole text can be searched first only if no expression depends on the start or end of a line in other ways than ^ and $.
  const looksFurther = options.has("z") || kind === "perl" || (kind !== "fixed" && patterns.some((pattern) => /\\[`']/.test(pattern)));
  const whole = looksFurther ? null : patterns.map((pattern) => toRegExp(pattern, kind, `m${flags}`));
  // Match the entire line, even if a shorter match comes first.
  const exact = options.has("x") ? expressions.map(({ source, flags: all }) => new RegExp(`^(?:${source})$`, all.replace("g", ""))) : null;
  const isWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
  const fits = (line: string, at: number, text: string): boolean => {
    if (!options.has("w")) return true;
    return (
      !isWord(Array.from(line.slice(Math.max(0, at - 2), at)).at(-1)) &&
      !isWord(Array.from(line.slice(at + text.length, at + text.length + 2))[0])
    );
  };
  return {
    maybe: (text) => whole === null || whole.some((expression) => expression.test(text)),
    find(line) {
      const found: { readonly at: number; readonly text: string }[] = [];
      for (const expression of exact ?? []) {
        const match = expression.exec(line);
        if (match) found.push({ at: 0, text: match[0] });
      }
      for (const expression of exact === null ? expressions : []) {
        for (const match of line.matchAll(expression)) {
          let { 0: text } = match;
          // A shorter match may be a word if the longer one is not.
          while (text !== "" && !fits(line, match.index, text)) text = options.has("w") ? text.slice(0, -1) : "";
          if (fits(line, match.index, text) && (text !== "" || match[0] === "")) found.push({ at: match.index, text });
        }
      }
      return found.length === 0 ? null : found.toSorted((a, b) => a.at - b.at || b.text.length - a.text.length);
    },
  };
}

class Stopped extends Error {}

class Grep {
  readonly #out: string[] = [];
  #stderr = "";
  #isWrong = false;
  #found = false;
  readonly #isRecursive: boolean;
  readonly #shownName: boolean;
  readonly #host: CommonHost;
  readonly #context: Context;
  readonly #options: Options;
  readonly #search: Search;
  readonly #included: readonly RegExp[];
  readonly #excluded: readonly RegExp[];
  readonly #excludedFolders: readonly RegExp[];
  #isFirstGroup = true;

  constructor(host: CommonHost, context: Context, options: Options, search: Search) {
    this.#host = host;
    this.#context = context;
    this.#options = options;
    this.#search = search;
    this.#isRecursive = options.has("r") || options.has("R") || options.value("d") === "recurse";
    const globs = (letter: string): RegExp[] =>
      options.values(letter).map((glob) => new RegExp(`^${globExpression(glob.replace(/\/$/, ""))}$`, "s"));
    this.#included = globs("2");
    this.#excluded = globs("3");
    this.#excludedFolders = globs("4");
    const several = options.operands.length - (options.has("e") || options.has("f") ? 0 : 1) > 1 || this.#isRecursive;
    this.#shownName = options.has("H") || (several && !options.has("h"));
  }

  async run(operands: readonly string[]): Promise<Answer> {
    try {
      if (operands.length === 0 && this.#isRecursive) await this.#folder(".", "");
      else for (const name of operands.length === 0 ? ["-"] : operands) await this.#operand(name);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    const exitCode = this.#isWrong && !(this.#found && this.#options.has("q")) ? 2 : this.#found ? 0 : 1;
    return { stdout: this.#options.has("q") ? "" : toOutput(this.#out.join("")), stderr: this.#stderr, exitCode };
  }

  #wrong(name: string, why: string): void {
    this.#isWrong = true;
    if (!this.#options.has("s")) this.#stderr += `grep: ${name}: ${why}\n`;
  }

  async #operand(name: string): Promise<void> {
    if (name === "-" || name === "/dev/stdin") return this.#file(this.#options.value("7") ?? "(standard input)", stdinBytes(this.#context));
    const stat = await statOf(this.#context, name);
    if (stat === null) return this.#wrong(name, "No such file or directory");
    if (stat.isDirectory) {
      if (this.#isRecursive) return this.#folder(name, name.endsWith("/") ? name : `${name}/`);
      if (this.#options.value("d") !== "skip" && !this.#options.has("s")) this.#stderr += `grep: ${name}: Is a directory\n`;
      return undefined;
    }
    const base = name.slice(name.lastIndexOf("/") + 1);
    if (this.#excluded.some((glob) => glob.test(base)) || (this.#included.length > 0 && !this.#included.some((glob) => glob.test(base))))
      return undefined;
    const read = await readInput(this.#context, name);
    return read.ok ? this.#file(name, read.bytes) : this.#wrong(name, read.why);
  }

  /** `prefix` precedes the names of the folder's contents. */
  async #folder(path: string, prefix: string): Promise<void> {
    const { fs } = this.#context;
    const at = absolute(this.#context, path);
    const entries = fs.readdirWithFileTypes
      ? await fs.readdirWithFileTypes(at)
      : await Promise.all(
          (await fs.readdir(at)).map(async (name) => ({ name, isDirectory: (await fs.stat(`${at}/${name}`)).isDirectory })),
        );
    for (const { name, isDirectory } of entries) {
      const below = prefix + name;
      if (isDirectory) {
        if (!this.#excludedFolders.some((glob) => glob.test(name) || glob.test(below))) await this.#folder(below, `${below}/`);
        continue;
      }
      if (this.#excluded.some((glob) => glob.test(name)) || (this.#included.length > 0 && !this.#included.some((glob) => glob.test(name))))
        continue;
      const read = await readInput(this.#context, below);
      if (read.ok) this.#file(below, read.bytes);
      else this.#wrong(below, read.why);
    }
  }

  #file(name: string, bytes: Uint8Array): void {
    if (this.#host.stop() !== null) throw new Stopped();
    const options = this.#options;
    const text = toText(bytes);
    const invert = options.has("v");
    const end = options.has("z") ? "\0" : "\n";
    const hits = invert || this.#search.maybe(text) ? this.#hits(text, end, invert) : [];
    const { lines } = hits.length === 0 ? { lines: [] as string[] } : { lines: linesOf(text, end) };
    if (hits.length > 0) this.#found = true;
    if (options.has("q")) {
      if (this.#found) throw new Stopped();
      return;
    }
    const after = options.has("Z") ? "\0" : "\n";
    if (options.has("L")) {
      if (hits.length === 0) this.#out.push(name + after);
      return;
    }
    if (options.has("l")) {
      if (hits.length > 0) this.#out.push(name + after);
      return;
    }
    const label = this.#shownName ? name : "";
    if (options.has("c")) {
      this.#out.push(`${label === "" ? "" : `${label}${options.has("Z") ? "\0" : ":"}`}${hits.length}\n`);
      return;
    }
    if (hits.length === 0) return;
    const isBinary =
      !options.has("a") &&
      options.value("8") !== "text" &&
      !options.has("z") &&
      /[\0\udc80-\udcff]/.test(text.slice(0, 32_768)) &&
      isBinaryText(text);
    if (isBinary) {
      if (!options.has("I") && options.value("8") !== "without-match") this.#out.push(`grep: ${name}: binary file matches\n`);
      return;
    }
    this.#print(label, lines, hits, end, text);
  }

  #hits(text: string, end: string, invert: boolean): { readonly line: number; readonly found: ReturnType<Search["find"]> }[] {
    const most = Number(this.#options.value("m") ?? Number.POSITIVE_INFINITY);
    const hits: { readonly line: number; readonly found: ReturnType<Search["find"]> }[] = [];
    const stopAtFirst = this.#options.has("q") || this.#options.has("l") || this.#options.has("L");
    for (const [i, line] of linesOf(text, end).entries()) {
      if (hits.length >= most) break;
      if ((i & 8191) === 8191 && this.#host.stop() !== null) throw new Stopped();
      const found = this.#search.find(line);
      if ((found === null) !== invert) continue;
      hits.push({ line: i, found });
      if (stopAtFirst) break;
    }
    return hits;
  }

  #print(
    name: string,
    lines: readonly string[],
    hits: readonly { readonly line: number; readonly found: ReturnType<Search["find"]> }[],
    end: string,
    text: string,
  ): void {
    const options = this.#options;
    const around = Number(options.value("C") ?? 0);
    const before = Number(options.value("B") ?? around);
    const behind = Number(options.value("A") ?? around);
    const offsets = options.has("b") ? startsOf(lines, text) : null;
    const label = (line: number, sign: string, offset = 0): string => {
      const place = offsets === null ? "" : `${(offsets[line] ?? 0) + offset}${sign}`;
      const shown = name === "" ? "" : `${name}${options.has("Z") ? "\0" : sign}`;
      return `${shown}${options.has("n") ? `${line + 1}${sign}` : ""}${place}${options.has("T") ? "\t" : ""}`;
    };
    if (options.has("o")) {
      if (options.has("v")) return;
      for (const { line, found } of hits)
        for (const match of withoutOverlap(found ?? []))
          if (match.text !== "") this.#out.push(label(line, ":", match.at) + match.text + end);
      return;
    }
    const separates = (before > 0 || behind > 0) && !options.has("9");
    const isHit = new Set(hits.map(({ line }) => line));
    let last = -1;
    for (const { line } of hits) {
      const start = Math.max(last + 1, line - before);
      if (separates && !this.#isFirstGroup && (last < 0 || start > last + 1)) this.#out.push(`${options.value("0") ?? "--"}\n`);
      this.#isFirstGroup = false;
      for (let at = start; at < line; at++) this.#out.push(`${label(at, "-")}${lines[at] ?? ""}${end}`);
      this.#out.push(`${label(line, ":")}${lines[line] ?? ""}${end}`);
      last = line;
      for (let at = line + 1; at <= line + behind && at < lines.length && !isHit.has(at); at++) {
        this.#out.push(`${label(at, "-")}${lines[at] ?? ""}${end}`);
        last = at;
      }
    }
  }
}

function linesOf(text: string, end: string): string[] {
  const lines = text.split(end);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function startsOf(lines: readonly string[], text: string): number[] {
  const isPlain = text.length === toBytesOf(text).length;
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += (isPlain ? line.length : toBytesOf(line).length) + 1;
  }
  return starts;
}

/** Of overlapping matches, keeps the first. */
function withoutOverlap(found: readonly { readonly at: number; readonly text: string }[]): typeof found {
  let end = -1;
  return found.filter(({ at, text }) => {
    if (at < end) return false;
    end = at + text.length;
    return true;
  });
}

/** Whether the text has a NUL or bytes that are not UTF-8. */
function isBinaryText(text: string): boolean {
  return text.includes("\0") || /(?<![\ud800-\udbff])[\udc80-\udcff]/.test(text);
}
