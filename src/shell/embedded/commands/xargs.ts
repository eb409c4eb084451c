import { fromBytes, toBytes } from "../encoding.ts";
import { type Answer, type Context, failed, stdinLatin1 } from "./answer.ts";
import { readInput } from "./files.ts";
import { joinBytes } from "../../../fs/bytes.ts";

interface Settings {
  readonly command: readonly string[];
  readonly replace: string | null;
  readonly mostArgs: number | null;
  readonly mostLines: number | null;
  readonly delimiter: string | null;
  readonly noEmpty: boolean;
  readonly verbose: boolean;
  readonly input: string | null;
  readonly endOfFile: string | null;
  readonly mostCharacters: number;
}

/** GNU xargs. Commands for `-P` run one after another. */
export async function xargs(args: readonly string[], context: Context): Promise<Answer> {
  const read = readSettings(args);
  if (typeof read === "string") return failed("xargs", read);
  const { exec } = context;
  if (!exec) throw new Error("no commands can be run from here");
  const given = read.input === null ? null : await readInput(context, read.input);
  if (given?.ok === false) return failed("xargs", `Cannot open input file '${read.input ?? ""}': ${given.why}`);
  const text = fromBytes(given?.ok ? given.bytes : toBytes(stdinLatin1(context), "latin1"), undefined);
  const items = split(text, read);
  if (typeof items === "string") return failed("xargs", items);
  const batches = batchesOf(items, read);
  const out: Uint8Array[] = [];
  let stderr = "";
  let exitCode = 0;
  for (const words of batches) {
    if (context.signal?.aborted === true) break;
    const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    if (read.verbose) stderr += `${words.join(" ")}\n`;
    const done = await exec(line, { cwd: context.cwd, env: Object.fromEntries(context.env), stdin: "" });
    const isBytes = Reflect.get(done, "stdoutKind") === "bytes" || Reflect.get(done, "stdoutEncoding") === "binary";
    out.push(toBytes(done.stdout, isBytes ? "latin1" : undefined));
    stderr += done.stderr;
    if (done.exitCode === 255) {
      stderr += `xargs: ${words[0] ?? ""}: exited with status 255; aborting\n`;
      exitCode = 124;
      break;
    }
    if (done.exitCode === 126 || done.exitCode === 127) {
      exitCode = done.exitCode;
      if (done.exitCode === 127) stderr = stderr.replace(/^bash: (\S+): command not found.*$/m, "xargs: $1: No such file or directory");
      break;
    }
    if (done.exitCode !== 0) exitCode = 123;
  }
  return { stdout: joinBytes(out), stderr, exitCode };
}

function readSettings(args: readonly string[]): Settings | string {
  let replace: string | null = null;
  let mostArgs: number | null = null;
  let mostLines: number | null = null;
  let delimiter: string | null = null;
  let noEmpty = false;
  let verbose = false;
  let input: string | null = null;
  let endOfFile: string | null = null;
  let mostCharacters = 131_072;
  let at = 0;
  const number = (text: string, letter: string): number | string =>
    /^\d+$/.test(text) ? Number(text) : `invalid number "${text}" for -${letter} option`;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at++;
      break;
    }
    if (!arg.startsWith("-") || arg === "-") break;
    const [, name = "", joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const letters = name === "" ? arg.slice(1) : (longNames[name] ?? "");
    if (letters === "") return `unrecognized option '${arg}'`;
    for (let i = 0; i < letters.length; i++) {
      const letter = letters.charAt(i);
      const rest = name === "" ? letters.slice(i + 1) : (joined ?? "");
      const value = (): string => (rest !== "" || joined !== undefined ? rest : (args[++at] ?? ""));
      let count: number | string = 0;
      if (letter === "0") delimiter = "\0";
      else if (letter === "r") noEmpty = true;
      else if (letter === "t") verbose = true;
      else if (letter === "x" || letter === "o") continue;
      else if (letter === "p") return "there is no terminal to ask; leave out -p";
      else if (letter === "i" || letter === "e" || letter === "l") {
        if (letter === "i") replace = rest || "{}";
        if (letter === "e") endOfFile = rest || null;
        if (letter === "l") mostLines = Number(rest || 1);
        break;
      } else if ("InPLdasE".includes(letter)) {
        const text = value();
        if (letter === "I") replace = text;
        else if (letter === "d")
          delimiter = text.replaceAll(/\\(n|t|0|r|\\)/g, (_, each: string) => ({ n: "\n", t: "\t", "0": "\0", r: "\r" })[each] ?? "\\");
        else if (letter === "a") input = text;
        else if (letter === "E") endOfFile = text;
        else {
          count = number(text, letter);
          if (typeof count === "string") return count;
          if (count === 0 && letter !== "P") return `value 0 for -${letter} option should be >= 1`;
          if (letter === "n") mostArgs = count;
          if (letter === "L") mostLines = count;
          if (letter === "s") mostCharacters = count;
        }
        break;
      } else return `invalid option -- '${letter}'`;
    }
  }
  const command = args.slice(at);
  return {
    command: command.length === 0 ? ["echo"] : command,
    replace,
    mostArgs,
    mostLines,
    delimiter,
    noEmpty,
    verbose,
    input,
    endOfFile,
    mostCharacters,
  };
}

const longNames: Readonly<Record<string, string>> = {
  null: "0",
  "no-run-if-empty": "r",
  verbose: "t",
  exit: "x",
  "max-args": "n",
  "max-procs": "P",
  replace: "i",
  "max-lines": "L",
  delimiter: "d",
  "arg-file": "a",
  "max-chars": "s",
  interactive: "p",
  eof: "e",
};

interface Item {
  readonly text: string;
  /** The line of the input that it is on. */
  readonly line: number;
}

/** Splits the input into words, with quotes and backslashes, or into lines for `-I`. Returns a text if something is wrong. */
function split(text: string, { delimiter, replace, endOfFile }: Settings): readonly Item[] | string {
  if (delimiter !== null) {
    const parts = text.split(delimiter);
    if (parts.at(-1) === "") parts.pop();
    // With a custom delimiter, the last part keeps its line end.
    return parts.map((part, line) => ({ text: part, line }));
  }
  const items: Item[] = [];
  let word: string | null = null;
  let line = 0;
  const push = (): void => {
    if (word !== null) items.push({ text: word, line });
    word = null;
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === "\n") {
      push();
      line++;
    } else if ((letter === " " || letter === "\t") && (replace === null || word === null)) push();
    else if (letter === "'" || letter === '"') {
      const end = text.indexOf(letter, at + 1);
      if (end < 0 || text.slice(at + 1, end).includes("\n"))
        return `unmatched ${letter === "'" ? "single" : "double"} quote; by default quotes are special to xargs unless you use the -0 option`;
      word = (word ?? "") + text.slice(at + 1, end);
      at = end;
    } else if (letter === "\\" && at + 1 < text.length) word = (word ?? "") + text.charAt(++at);
    else word = (word ?? "") + letter;
  }
  push();
  const end = endOfFile === null ? -1 : items.findIndex((item) => item.text === endOfFile);
  return end < 0 ? items : items.slice(0, end);
}

function batchesOf(items: readonly Item[], settings: Settings): (readonly string[])[] {
  const { command, replace, mostArgs, mostLines, noEmpty, mostCharacters } = settings;
  if (replace !== null) return items.map((item) => command.map((word) => word.replaceAll(replace, () => item.text)));
  if (items.length === 0) return noEmpty ? [] : [command];
  const batches: (readonly string[])[] = [];
  let batch: Item[] = [];
  const ownSize = command.reduce((sum, word) => sum + word.length + 1, 0);
  let size = ownSize;
  let lines = 0;
  const flush = (): void => {
    if (batch.length > 0) batches.push([...command, ...batch.map((item) => item.text)]);
    batch = [];
    size = ownSize;
    lines = 0;
  };
  for (const item of items) {
    const isNewLine = batch.at(-1)?.line !== item.line;
    const isFull =
      batch.length > 0 &&
      ((mostArgs !== null && batch.length >= mostArgs) ||
        (mostLines !== null && lines + Number(isNewLine) > mostLines) ||
        size + item.text.length + 1 > mostCharacters);
    if (isFull) flush();
    if (isFull || isNewLine) lines++;
    batch.push(item);
    size += item.text.length + 1;
  }
  flush();
  return batches;
}
