import { Bash, type IFileSystem } from "just-bash/browser";
import { fromBytes, toBytes } from "./encoding.ts";
import { isInputFile } from "./input-file.ts";
import { readableSource } from "./readable-source.ts";
import { noteFirstLine } from "./sources.ts";
import type { Call, CallAround, CallResult, CallWays } from "./watcher.ts";

const shells = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh"]);
/** Programs that a file's first line may name. */
const programs = new Set(["node", "python", "python3", "awk", "gawk", "sed", "jq"]);
/** The version that just-bash gives for `BASH_VERSION`. */
const version = "GNU bash, version 5.1.0(1)-release (x86_64-pc-linux-gnu)\n";
/** Bytes that are read to determine a file's kind. */
const looked = 512;

/**
 * Handles calls that just-bash does not:
 *
 * - If a file's first line names a program other than a shell, that program runs the file. If it names a shell with options, the options apply.
 * - `bash -n`, `-e`, `-u`, `-x`, `-o …` and the like before a script, `-c` or standard input.
 */
export function createAround(fs: Pick<IFileSystem, "readFileBuffer" | "resolvePath">): CallAround {
  return {
    command(call, ways) {
      const name = call.name.replace(/^(?:\/usr)?\/bin\//, "");
      return shells.has(name) ? shell({ ...call, name }, call.name, ways, fs) : ways.go(false);
    },
    async file(call, ways) {
      const bytes = await fs.readFileBuffer(call.name);
      const head = new TextDecoder("latin1").decode(bytes.subarray(0, looked));
      const [program = "", ...args] = wordsOfFirstLine(head);
      const name = program.slice(program.lastIndexOf("/") + 1).replace(/^(python3?)\.\d+$/, "$1");
      const hasOptions = /^[-+]./.test(args[0] ?? "");
      if (shells.has(name) && hasOptions) return withOptions({ ...call, name, args: [...args, call.calledAs, ...call.args] }, ways, fs);
      if (name === "" || shells.has(name)) {
        const source = new TextDecoder().decode(bytes);
        const mended = readableSource(source);
        if (mended !== source) return ways.text("bash", call.calledAs, withoutFirstLine(mended), call.args);
        if (source.startsWith("#!")) noteFirstLine(call.interpreter);
        return ways.go(false);
      }
      if (programs.has(name)) return ways.command(name, [...args, call.name, ...call.args]);
      return { stdout: "", stderr: `bash: ${call.name}: ${program}: bad interpreter: No such file or directory\n`, exitCode: 126 };
    },
  };
}

/** Runs a shell. `written`: its name as written. */
async function shell(
  call: Call,
  written: string,
  ways: CallWays,
  fs: Pick<IFileSystem, "readFileBuffer" | "resolvePath">,
): Promise<CallResult> {
  const [first, ...words] = call.args;
  if (first === undefined) {
    const text = inputOf(call);
    const readable = readableSource(text);
    return readable === text ? ways.go(false) : ways.command(call.name, ["-c", readable, call.name]);
  }
  if (/^[-+]./.test(first)) return withOptions(call, ways, fs);
  const source = await sourceOf(call, first, fs);
  const readable = source === null ? null : readableSource(withoutFirstLine(source));
  return readable === source || readable === null ? ways.go(false) : ways.text(written, first, readable, words);
}

/** Empties the `#!` line. just-bash would remove it, and count the lines without it. */
function withoutFirstLine(source: string): string {
  return source.replace(/^#!.*/, "");
}

/** The text of its standard input, which arrives as bytes. */
function inputOf(call: Call): string {
  return fromBytes(toBytes(call.stdin, "latin1"), undefined);
}

/** `#!/usr/bin/env -S node --x` names `node` with `--x`. */
function wordsOfFirstLine(head: string): string[] {
  if (!head.startsWith("#!")) return [];
  const words = (head.slice(2).split("\n", 1)[0] ?? "").trim().split(/\s+/);
  if (!/(?:^|\/)env$/.test(words[0] ?? "")) return words;
  return words.slice(words[1] === "-S" ? 2 : 1).filter((word, i, all) => i > 0 || !word.includes("=") || all.length === 1);
}

async function withOptions(call: Call, ways: CallWays, fs: Pick<IFileSystem, "readFileBuffer" | "resolvePath">): Promise<CallResult> {
  const { name, args } = call;
  const set: string[] = [];
  let [checks, command, stdin] = [false, false, false];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--" || arg === "-") {
      at++;
      break;
    }
    if (!/^[-+]./.test(arg)) break;
    if (arg.startsWith("--")) {
      // What these options skip or read does not exist here.
      if (/^--(?:norc|noprofile|login|posix|noediting)$/.test(arg)) continue;
      if (/^--(?:rcfile|init-file)$/.test(arg)) at++;
      else if (arg === "--version") return { stdout: version, stderr: "", exitCode: 0 };
      else return arg === "--help" ? ways.go(false) : failed(`${name}: ${arg}: invalid option`);
      continue;
    }
    const sign = arg.charAt(0);
    for (const letter of arg.slice(1)) {
      if (letter === "n" && sign === "-") checks = true;
      else if (letter === "c" && sign === "-") command = true;
      else if (letter === "s" && sign === "-") stdin = true;
      else if (letter === "o" || letter === "O") {
        const option = args[++at] ?? "";
        if (!/^\w+$/.test(option)) return failed(`${name}: ${option}: invalid ${letter === "o" ? "" : "shell "}option name`);
        set.push(letter === "o" ? `set ${sign}o '${option}'` : `shopt ${sign === "-" ? "-s" : "-u"} '${option}'`);
      } else if (/[lipr]/.test(letter)) continue;
      else if (/[eufxvbhkmaCETBHP]/.test(letter)) set.push(`set ${sign}${letter}`);
      else return failed(`${name}: ${sign}${letter}: invalid option`);
    }
  }
  const rest = args.slice(at);
  if (command && rest.length === 0) return failed(`${name}: -c: option requires an argument`);
  const [first, ...words] = rest;
  if (checks) {
    const source = command ? (first ?? "") : first === undefined || stdin ? inputOf(call) : await sourceOf(call, first, fs);
    if (source === null) return failed(`${first ?? ""}: No such file or directory`, 127);
    return checked(source, command || first === undefined ? `${name}: ${command ? "-c" : "line"}` : first);
  }
  const before = set.join("; ");
  // The script's lines keep their numbers.
  const after = before === "" ? "" : "; ";
  if (command) return ways.command(name, ["-c", readableSource(`${before}${after}${first ?? ""}`), ...words]);
  if (stdin || first === undefined) return ways.command(name, ["-c", readableSource(`${before}${after}${inputOf(call)}`), name, ...rest]);
  // The script runs in a shell with these options.
  const source = await sourceOf(call, first, fs);
  if (source === null) return failed(`${first}: No such file or directory`, 127);
  const given = readableSource(withoutFirstLine(source));
  return ways.text(name, first, before + (before === "" || given.startsWith("\n") ? "" : "; ") + given, words);
}

async function sourceOf(call: Call, path: string, fs: Pick<IFileSystem, "readFileBuffer" | "resolvePath">): Promise<string | null> {
  if (isInputFile(path)) return inputOf(call);
  const { state } = call.interpreter.ctx;
  const cwd: unknown = "cwd" in state ? state.cwd : "/";
  try {
    return new TextDecoder().decode(await fs.readFileBuffer(fs.resolvePath(String(cwd), path)));
  } catch {
    // The file can't be read.
    return null;
  }
}

function failed(line: string, exitCode = 2): CallResult {
  return { stdout: "", stderr: `bash: ${line}\n`.replace(/^bash: bash: /, "bash: "), exitCode };
}

/** Parses a script without running it. */
function checked(source: string, name: string): CallResult {
  try {
    new Bash({ defenseInDepth: false }).transform(readableSource(source));
    return { stdout: "", stderr: "", exitCode: 0 };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const found = /^Parse error at (\d+):\d+: (.*)$/s.exec(message);
    return { stdout: "", stderr: found ? `${name}: line ${found[1] ?? ""}: ${found[2] ?? ""}\n` : `${name}: ${message}\n`, exitCode: 2 };
  }
}
